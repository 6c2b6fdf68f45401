import { PlayerError } from "./player-error.ts";

/** As `createPlaybackKey` answers; `expires_at` is an RFC 3339 time. */
export type PlaybackKeyAnswer = { playback_key: string; expires_at: string };

/** Asked for a key when one is needed: at first, before the last one expires, and when the service refuses it. */
export type KeySource = () => Promise<PlaybackKeyAnswer> | undefined;

/** What every request of one player (playlists, segments, poster, MP4) shares. */
export type DeliveryAccess = {
	/** The Authorization header for an address, or undefined where none belongs: another origin, or a public video. */
	authorization(url: string): Promise<string | undefined>;
	/**
	 * Takes note that the service answered 401 to a header that was (or was not) sent. True when a further try with
	 * `authorization` makes sense. Many requests that were refused with the same key cause one new key.
	 */
	refused(url: string, sent: string | undefined): boolean;
};

/**
 * How long a new key lives is judged by this page's clock; one that is wrong costs a new key every half minute, not one
 * a request. From then on no clock that is set matters.
 */
const shortestUseMs = 30_000;

/**
 * Nothing is asked of `key` before the first request that needs it. A key never goes to another origin than the
 * outputs'.
 */
export function createDeliveryAccess(options: {
	origin: string;
	isPrivate: boolean;
	key: KeySource | undefined;
	now?: () => number;
	elapsed?: () => number;
}): DeliveryAccess {
	const { origin, key, now = Date.now, elapsed = () => performance.now() } = options;
	let needed = options.isPrivate;
	let held: { value: string; renewAt: number; endsAt: number } | undefined;
	let asking: Promise<string | undefined> | undefined;

	async function ask(): Promise<string | undefined> {
		try {
			const answer = await key?.();
			if (answer === undefined) return undefined;
			const life = Math.max(shortestUseMs, Date.parse(answer.expires_at) - now() || 0);
			held = {
				value: `Bearer ${answer.playback_key}`,
				renewAt: elapsed() + life - Math.min(60_000, life / 5),
				endsAt: elapsed() + life,
			};
			return held.value;
		} catch (cause) {
			throw new PlayerError(
				"key_unavailable",
				`The page could not get a playback key: ${cause instanceof Error ? cause.message : String(cause)}`,
				cause,
			);
		} finally {
			asking = undefined;
		}
	}

	return {
		async authorization(url) {
			if (!needed || key === undefined || new URL(url).origin !== origin) return undefined;
			if (held && elapsed() < held.renewAt) return held.value;
			asking ??= ask();
			if (held && elapsed() < held.endsAt) {
				asking.catch(() => {});
				return held.value;
			}
			return asking;
		},
		refused(url, sent) {
			if (key === undefined || new URL(url).origin !== origin) return false;
			needed = true;
			if (held && held.value === sent) held = undefined;
			return true;
		},
	};
}

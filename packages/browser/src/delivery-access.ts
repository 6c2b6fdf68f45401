import { isReelmillError } from "@reelmill/client";
import { asPlayerError, PlayerError } from "./player-error.ts";

/** The part of the answer of `createPlaybackKey` that a player needs. `expires_at` is an RFC 3339 time. */
export type PlaybackKeyAnswer = { playback_key: string; expires_at: string };

/**
 * Called for a key when the first one is needed, before a key expires, and when the service refuses one. A
 * ReelmillError or PlayerError that it throws becomes the player's, such as `video_not_found` for a video that was
 * deleted.
 */
export type KeySource = () => Promise<PlaybackKeyAnswer> | undefined;

/** The key that all requests of one player share: those for playlists, segments, poster and MP4. */
export type DeliveryAccess = {
	/** Whether the video was private when the page got it. */
	readonly isPrivate: boolean;
	/** Returns the Authorization header for an address; undefined for another origin and for a public video. */
	authorization(url: string): Promise<string | undefined>;
	/**
	 * Notes that the service answered 401 to a request with this header, or without one. Returns whether a retry with
	 * `authorization` can help. Requests that were refused with the same key cause one new key.
	 */
	refused(url: string, sent: string | undefined): boolean;
	/** Tells whether the last key that the page gave has ended by the page's clock. */
	expired(): boolean;
};

/**
 * The shortest time that a key is used. The page's clock says when a new key expires; if the clock is wrong, the player
 * asks for a key every half minute, and not for every request. Afterwards a change of the clock has no effect.
 */
const shortestUseMs = 30_000;

/** Creates the key of a player. `key` is first called for a request that needs it. No other origin gets the key. */
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
	/** Not a number while the page has named no end. */
	let endsAt = Number.NaN;

	async function ask(): Promise<string | undefined> {
		try {
			const answer = await key?.();
			if (answer === undefined) return undefined;
			endsAt = Date.parse(answer.expires_at);
			const life = Math.max(shortestUseMs, endsAt - now() || 0);
			held = {
				value: `Bearer ${answer.playback_key}`,
				renewAt: elapsed() + life - Math.min(60_000, life / 5),
				endsAt: elapsed() + life,
			};
			return held.value;
		} catch (cause) {
			// What the service said to the page's back end stands as it is, if that handed it on; so does what the page says.
			if (cause instanceof PlayerError) throw cause;
			if (isReelmillError(cause))
				throw new PlayerError(cause.code, cause.message, { ...cause.extras, ...cause, cause });
			throw new PlayerError(
				"key_unavailable",
				`The page could not get a playback key: ${asPlayerError(cause).message}`,
				{ cause, ...(endsAt <= now() ? { reason: "expired" as const } : {}) },
			);
		} finally {
			asking = undefined;
		}
	}

	return {
		isPrivate: options.isPrivate,
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
		expired: () => endsAt <= now(),
	};
}

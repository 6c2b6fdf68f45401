import { type DomainKnowledge, isTrusted, learn } from "./domain-knowledge.ts";
import { readFeed } from "./feed.ts";
import { createSigningKeys, importSigningKeys, type SigningKeys } from "./signing-keys.ts";

/** What an edge knows at one moment. */
export type Knowledge = {
	readonly keys: SigningKeys;
	/** The domains whose feeds have come, by their id. */
	readonly domains: ReadonlyMap<string, DomainKnowledge>;
};

export type Follower = {
	/**
	 * Returns what is known now. Asks the service first if nothing is known that may be acted upon, and asks beside the
	 * caller's work if what is known is older than 2 s: `later` is given the promise of that.
	 */
	knowledge(later: (work: Promise<void>) => void): Promise<Knowledge>;
	/** Asks the service for all feeds, and for its keys if they are due. It never throws. */
	poll(): Promise<void>;
	/** Says that a token names a key which isn't known: keys are asked for again, at most each 5 s. */
	missKey(): void;
};

export type FollowerOptions = {
	/** The ids of the domains to follow. */
	readonly domains: readonly string[];
	/** Asks the service for a path, such as `/v1/edge/{domain}`. */
	readonly ask: (path: string, headers: Readonly<Record<string, string>>) => Promise<Response>;
	/** A clock that never goes back, in milliseconds. */
	readonly monotonic: () => number;
	/** Is told why a feed or the keys can't be used. */
	readonly warn: (message: string) => void;
	/** Whether work that one request began may be awaited by another one. */
	readonly shared: boolean;
};

export const pollMilliseconds = 2000;
const keysMilliseconds = 60_000;
const missedKeysMilliseconds = 5000;
/** How soon those who have nothing to act upon ask again. */
const retryMilliseconds = 500;

const jwksPath = "/v1/playback-keys/jwks.json";

type Kept = { readonly text: string; readonly etag: string };

/** Follows the feeds of an edge's domains, and the service's keys. Nothing happens until it is asked. */
export function createFollower({ domains, ask, monotonic, warn, shared }: FollowerOptions): Follower {
	let known: Knowledge = { keys: createSigningKeys(), domains: new Map() };
	const kept = new Map<string, Kept>();
	let keysAt = Number.NEGATIVE_INFINITY;
	let keysMissed = false;
	let polledAt = Number.NEGATIVE_INFINITY;
	let polling: Promise<void> | undefined;

	async function readKeys(): Promise<void> {
		const due = keysMissed || known.keys.byId.size === 0 ? missedKeysMilliseconds : keysMilliseconds;
		const now = monotonic();
		if (now - keysAt < due) return;
		keysAt = now;
		const answer = await ask(jwksPath, {});
		if (answer.status !== 200) throw new TypeError(`The keys were answered with ${answer.status}.`);
		known = { ...known, keys: await importSigningKeys(await answer.json()) };
		keysMissed = false;
	}

	async function readDomain(domain: string): Promise<void> {
		const before = kept.get(domain);
		const sentAt = monotonic();
		const answer = await ask(`/v1/edge/${domain}`, before === undefined ? {} : { "if-none-match": before.etag });
		const body = await answer.text();
		const unchanged = answer.status === 304 && before !== undefined;
		if (!unchanged && answer.status !== 200) throw new TypeError(`The feed was answered with ${answer.status}.`);
		const text = unchanged ? before.text : body;
		const receivedAt = monotonic();
		const proof = answer.headers.get("reelmill-edge-proof") ?? "";
		const proven = await readFeed(text, { proof, domain, keys: known.keys }).catch((error: unknown) => {
			// The proof may be by a key that the service has begun to use since.
			keysMissed = true;
			throw error;
		});
		const knowledge = learn(known.domains.get(domain), proven, { sentAt, receivedAt });
		if (knowledge.feed !== proven.feed) throw new TypeError("The feed is older than the one before.");
		known = { ...known, domains: new Map(known.domains).set(domain, knowledge) };
		const etag = answer.headers.get("etag");
		if (etag !== null) kept.set(domain, { text, etag });
	}

	const tried = async (what: string, work: Promise<void>): Promise<void> => {
		try {
			await work;
		} catch (error) {
			warn(`${what} can't be used: ${error instanceof Error ? error.message : String(error)}`);
		}
	};
	async function pollNow(): Promise<void> {
		polledAt = monotonic();
		await tried("The service's keys", readKeys());
		await Promise.all(domains.map((domain) => tried(`The feed of the domain ${domain}`, readDomain(domain))));
	}
	function poll(): Promise<void> {
		if (!shared) return pollNow();
		polling ??= pollNow().finally(() => {
			polling = undefined;
		});
		return polling;
	}
	const trustsAll = (): boolean => {
		const now = monotonic();
		return domains.every((domain) => {
			const one = known.domains.get(domain);
			return one !== undefined && isTrusted(one, now);
		});
	};

	return {
		async knowledge(later) {
			const age = monotonic() - polledAt;
			if (trustsAll()) {
				if (age >= pollMilliseconds) later(poll());
			} else if (age >= retryMilliseconds || polling !== undefined) await poll();
			return known;
		},
		poll,
		missKey() {
			keysMissed = true;
		},
	};
}

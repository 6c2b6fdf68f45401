import type { Feed, ProvenFeed } from "./feed.ts";

/**
 * A feed is trusted for so long after the poll that brought it was sent. The service's servers may be 1 s behind, so
 * what they say is in force within 5 s.
 */
const trustedMilliseconds = 4000;
/**
 * Servers may act by what was true 2 s ago. So what they answer in the first moments after a change is passed on, and
 * not remembered: otherwise a server that is behind would have private bytes stored as public ones.
 */
const settlingMilliseconds = 3000;

/** What an edge knows of one domain at one moment. Times are those of a monotonic clock, in milliseconds. */
export type DomainKnowledge = {
	readonly feed: Feed;
	/** The service's time of the newest proof, in seconds since the epoch. */
	readonly issuedAt: number;
	/** When the poll was sent that brought this proof. */
	readonly sentAt: number;
	/** When this edge first saw a version, by `viewer <pseudonym>` and `video <digest>`, and the generation. */
	readonly firstSeen: ReadonlyMap<string, number>;
	readonly generationSeen: number;
};

/**
 * Returns what is known after a feed has come. `sentAt` is when its poll was sent, `receivedAt` when it was answered. A
 * proof that is older than the one before changes nothing. One of the same second may bring news, but proves nothing
 * about a later moment.
 */
export function learn(
	before: DomainKnowledge | undefined,
	{ feed, issuedAt }: ProvenFeed,
	{ sentAt, receivedAt }: { sentAt: number; receivedAt: number },
): DomainKnowledge {
	if (before !== undefined && issuedAt < before.issuedAt) return before;
	const seen = (kind: "viewers" | "videos", id: string, version: string): number => {
		const known = before?.feed[kind].get(id) === version ? before.firstSeen.get(`${kind} ${id}`) : undefined;
		return known ?? receivedAt;
	};
	const firstSeen = new Map<string, number>();
	for (const kind of ["viewers", "videos"] as const)
		for (const [id, version] of feed[kind]) firstSeen.set(`${kind} ${id}`, seen(kind, id, version));
	const generationSeen = (): number => {
		if (before === undefined) return Number.NEGATIVE_INFINITY;
		return before.feed.generation === feed.generation ? before.generationSeen : receivedAt;
	};
	const isLater = before === undefined || issuedAt > before.issuedAt;
	return {
		feed,
		issuedAt,
		sentAt: isLater ? sentAt : before.sentAt,
		firstSeen,
		generationSeen: generationSeen(),
	};
}

/** Whether this knowledge may be acted upon. */
export const isTrusted = ({ sentAt }: DomainKnowledge, now: number): boolean => now - sentAt < trustedMilliseconds;

/** The service's time, in seconds since the epoch; it may be 2 s slow. The edge's own clock isn't asked. */
export const serviceTime = ({ issuedAt, sentAt }: DomainKnowledge, now: number): number =>
	issuedAt + (now - sentAt) / 1000;

/** Under what an answer about a video is remembered: another text after each change of the video. */
export const stateOf = ({ feed }: DomainKnowledge, digest: string): string =>
	`${feed.domain}/${feed.generation}/${feed.videos.get(digest) ?? ""}`;

/** Whether every server acts by this version by now, so that its answer may be remembered. */
export function isSettled(
	{ firstSeen, generationSeen }: DomainKnowledge,
	kind: "viewers" | "videos",
	id: string,
	now: number,
): boolean {
	const since = Math.max(firstSeen.get(`${kind} ${id}`) ?? Number.NEGATIVE_INFINITY, generationSeen);
	return now - since >= settlingMilliseconds;
}

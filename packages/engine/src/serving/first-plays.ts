import { LRUCache } from "lru-cache";
import sql from "sql-template-tag";
import { atMost } from "../caches/index.ts";
import type { Parts } from "../system/index.ts";

/** Notes that something of a domain was played, once per domain and process as long as the process remembers it. */
export type FirstPlays = {
	/** Returns at once; what can't be noted now is noted with a later file. */
	note(domainId: string, path: string): void;
};

/** What a player fetches to play: no pictures, captions or storyboards. */
const played = /^(?:hls|dash|media)\/|^web\.mp4$/;

/** A domain that was forgotten is noted once more, which changes nothing. */
const rememberedDomains = 10_000;

export function createFirstPlays({ database, clock }: Parts): FirstPlays {
	const noted = new LRUCache<string, true>(atMost(rememberedDomains));
	return {
		note(domainId, path) {
			if (noted.get(domainId) || !played.test(path)) return;
			noted.set(domainId, true);
			const note = sql`update reelmill.domains set first_played_at = ${new Date(clock.now())} where id = ${domainId} and first_played_at is null`;
			database.query(note).catch(() => noted.delete(domainId));
		},
	};
}

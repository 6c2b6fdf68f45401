import type { DomainConfig, VideoState, Visibility } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { createBriefCache } from "../caches/index.ts";
import type { Parts } from "../system/index.ts";
import type { StoredOutputs } from "../videos/index.ts";

/** A row with what has to be known of a video, and of its domain, to serve its files. */
export type ServedVideo = {
	readonly id: string;
	readonly domain_id: string;
	readonly session_id: string | null;
	readonly state: VideoState;
	readonly visibility: Visibility;
	readonly outputs: StoredOutputs | null;
	readonly playable: Pick<StoredOutputs, "prefix" | "files" | "added"> | null;
	readonly storage_profile_id: string | null;
	readonly config: Partial<DomainConfig>;
	readonly playback_epoch: number;
	readonly playback_revoked_order: number;
};

export type ServedVideos = {
	/** Returns the video as it was at most 2 s ago, or null if there is none. */
	find(videoId: string): Promise<ServedVideo | null>;
	/** Returns what `find` would resolve to without a statement; undefined if it needs one. */
	peek(videoId: string): ServedVideo | null | undefined;
	/** Forgets a video that was just changed here. */
	forget(videoId: string): void;
	forgetAll(): void;
};

const stalenessMilliseconds = 2000;

/**
 * A video may have thousands of files, so rows count by their size. Beside what the row itself takes, about three times
 * its text, the files that viewers asked for are kept with it.
 */
const rememberedKibibytes = 16 * 1024;
const kibibytesOf = (video: ServedVideo | null): number => Math.ceil((JSON.stringify(video).length + 1) / 1024);

export function createServedVideos(
	{ database, clock }: Parts,
	{ playableFirst }: { playableFirst: boolean },
): ServedVideos {
	const cache = createBriefCache<ServedVideo | null>({
		clock,
		max: rememberedKibibytes,
		milliseconds: stalenessMilliseconds,
		roomOf: kibibytesOf,
	});
	const playable = playableFirst
		? sql`(select j.playable from reelmill.jobs j where j.id = v.id and j.lock is not null and v.state = 'encoding')`
		: sql`null::jsonb`;
	return {
		find: (videoId) =>
			cache.get(videoId, async () => {
				const [row] = await database.query<ServedVideo>(sql`
					select v.id, v.domain_id, v.session_id, v.state, v.visibility, v.outputs, ${playable} as playable, v.storage_profile_id, d.config, d.playback_epoch, d.playback_revoked_order
					from reelmill.videos v join reelmill.domains d on d.id = v.domain_id where v.id = ${videoId} and v.kind = 'video' and v.deleted_at is null and d.deleted_at is null`);
				return row ?? null;
			}),
		peek: cache.peek,
		forget: cache.forget,
		forgetAll: cache.forgetAll,
	};
}

import { ReelmillError } from "@reelmill/contracts";
import { createBriefCache } from "../caches/index.ts";
import type { Parts } from "../system/index.ts";

/**
 * Files that a video has by its record but not in its storage. This happens if the database or the storage was restored
 * to another time than the other.
 */
export type LostFiles = {
	/**
	 * Counts a lost file, and logs it once per minute and video. Returns the error for the viewer, `not_found`: another
	 * request wouldn't help.
	 */
	meet(videoId: string, key: string): ReelmillError;
	/** Returns how many lost files were asked for. */
	count(): number;
};

export function createLostFiles({ clock, logger }: Parts): LostFiles {
	const told = createBriefCache<void>({ clock, max: 1000, milliseconds: 60_000 });
	let count = 0;
	return {
		meet(videoId, key) {
			count++;
			void told.get(videoId, async () => {
				logger.error(
					{ videoId, key },
					"a file that the video has by its record is not in its storage: was one of them restored to another time?",
				);
			});
			return new ReelmillError("not_found", {
				message: "The video has this file by its record, but the storage lost it.",
			});
		},
		count: () => count,
	};
}

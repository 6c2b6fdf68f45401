import { ReelmillError } from "@reelmill/contracts";
import { createBriefCache } from "../caches/index.ts";
import type { Parts } from "../system/index.ts";

/**
 * Files that a video has by its record, and that its storage doesn't have: one of the two was restored to another time
 * than the other.
 */
export type LostFiles = {
	/**
	 * Counts one, and tells the log, once a minute a video. Answers what the viewer is told: `not_found`, since asking
	 * again helps nothing.
	 */
	meet(videoId: string, key: string): ReelmillError;
	/** How often one was met. */
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

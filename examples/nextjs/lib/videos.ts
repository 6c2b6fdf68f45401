import type { Video } from "@reelmill/node";
import { cacheTag } from "next/cache";
import { reelmill } from "./reelmill";

/** Names the list of a person's videos in the cache. */
export const listOf = (ref: string): string => `videos of ${ref}`;

/**
 * Returns the newest videos of a person that were sent. The list is kept: an upload and a webhook end it, and nothing
 * else asks the service again.
 */
export async function newestVideos(ref: string): Promise<Video[]> {
	"use cache";
	cacheTag(listOf(ref));
	const { data } = await reelmill.videos.page({ uploaderRef: ref, limit: 50 });
	return data.filter(({ uploaded_at }) => uploaded_at !== null);
}

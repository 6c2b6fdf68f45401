import type { CallInput } from "@reelmill/client";

type ListQuery = NonNullable<CallInput<"listVideos">["query"]>;

/** What is listed: the part of the URL's search that the operation takes. */
export type VideoFilter = Pick<
	ListQuery,
	"state" | "search" | "external_ref" | "uploader_ref" | "metadata_key" | "metadata_value"
>;

/** Leaves out what has no value, as the operation wants it. */
export const filterQuery = (filter: VideoFilter): VideoFilter =>
	Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as VideoFilter;

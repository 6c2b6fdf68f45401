import type { VideoFilter } from "./video-filter.ts";

const fewestOfId = 8;

/** What is said if no video is found; null if nothing was looked for. */
export function noneFound({ search, external_ref, uploader_ref, metadata_key, state }: VideoFilter): string | null {
	if ((search ?? external_ref ?? uploader_ref ?? metadata_key) === undefined) return null;
	const said: string[] = [];
	if (search !== undefined) said.push("No title, name, uploader or id begins with this text.");
	else if (metadata_key !== undefined) said.push("No video has exactly this value.");
	else
		said.push(uploader_ref === undefined ? "No video has exactly this name." : "No video is of exactly this uploader.");
	if (search !== undefined && search.length < fewestOfId)
		said.push(`An id is found by its first ${fewestOfId} characters or more.`);
	if (state !== undefined) said.push("Choose “All” to look in every state.");
	return said.join(" ");
}

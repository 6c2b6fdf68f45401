export { leadsTo } from "./leads-to.ts";
export { isOfOpening } from "./opening.ts";
export { listedInManifest, readManifest } from "./read-dash.ts";
export {
	type ListedCaptions,
	listedInMaster,
	longestPlaylist,
	type MasterPlaylist,
	type MediaPlaylist,
	readMasterPlaylist,
	readMediaPlaylist,
} from "./read-hls.ts";
export { listInManifest, listInMaster, nameChapters } from "./rewrite.ts";
export { type Part, UnreadableText } from "./text-lines.ts";

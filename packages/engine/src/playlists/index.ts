export { leadsTo } from "./leads-to.ts";
export { isOfOpening } from "./opening.ts";
export { readManifest } from "./read-dash.ts";
export {
	longestPlaylist,
	type MasterPlaylist,
	type MediaPlaylist,
	readMasterPlaylist,
	readMediaPlaylist,
} from "./read-hls.ts";
export { type Part, UnreadableText } from "./text-lines.ts";

import type { Format } from "./format.ts";
import { apiVideo } from "./formats/api-video.ts";
import { bunny } from "./formats/bunny.ts";
import { cloudflare } from "./formats/cloudflare.ts";
import { mux } from "./formats/mux.ts";
import { peertube } from "./formats/peertube.ts";
import { plain } from "./formats/plain.ts";
import { vimeo } from "./formats/vimeo.ts";

/** The lists that can be read. `plain` comes last: lists of others may have a `url`, too. */
export const formats = {
	mux,
	cloudflare,
	bunny,
	vimeo,
	"api-video": apiVideo,
	peertube,
	plain,
} as const satisfies Record<string, Format>;
export type FormatName = keyof typeof formats;
export const formatNames = Object.keys(formats) as FormatName[];

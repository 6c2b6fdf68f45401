import { build } from "tsup";
import { scriptTag } from "../../tsup.config.ts";

/** Writes `elements.js` into a folder, for a page that has no bundler. */
export const bundleForScriptTag = (folder: string): Promise<void> => build({ ...scriptTag, outDir: folder });

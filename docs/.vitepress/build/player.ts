import { cpSync } from "node:fs";
import { join } from "node:path";
import { bundleForScriptTag } from "../../../scripts/packages/script-tag.ts";
import { root } from "../../../scripts/setup/paths.mjs";

/** Puts what the player of the first page needs into a folder: the elements, a clip, and its first picture. */
export async function addPlayer(folder: string): Promise<void> {
	await bundleForScriptTag(folder);
	cpSync(join(root, "examples/demo/assets/clip.mp4"), join(folder, "clip.mp4"));
	cpSync(join(root, "docs/images/towers.webp"), join(folder, "poster.webp"));
}

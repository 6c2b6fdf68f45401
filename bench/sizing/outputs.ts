import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Processed, processVideo } from "@reelmill/media";
import { archiveOf } from "../../faults/processes/outputs.ts";
import { footage } from "../media/footage.ts";
import { job, tools } from "../media/job.ts";
import { ffmpeg } from "../media/measure.ts";

const seconds = 4;

/** A source, and what a real job of all four renditions has made of it. */
export type Outputs = { readonly source: Buffer; readonly archive: Buffer; readonly made: Processed };

/** Makes the outputs below `directory`. */
export async function makeOutputs(directory: string): Promise<Outputs> {
	const source = join(directory, "clip.mp4");
	await ffmpeg("-i", await footage(), "-t", String(seconds), "-c", "copy", source);
	const outputs = join(directory, "made");
	const made = await processVideo({ source, directory: outputs, tools, job });
	const contents: Record<string, Buffer> = {};
	for (const path of made.files) contents[path] = await readFile(join(outputs, path));
	return { source: await readFile(source), archive: await archiveOf(contents), made };
}

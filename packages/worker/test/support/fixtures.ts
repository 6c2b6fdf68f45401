import { execFile } from "node:child_process";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import type { Logger } from "@reelmill/media";
import { fromBuffer, fromBufferPromise } from "yauzl";

/** The part of a plan that asks for web.mp4 alone: a job with it takes half as long as one with all outputs. */
export const onlyMp4 = { outputs: { hls: false, dash: false, mp4_fallback: true, og_thumbnail: false } };

/** Returns the paths in a zip. */
export const entriesOf = (archive: Buffer): Promise<string[]> =>
	new Promise((resolve, reject) => {
		fromBuffer(archive, { lazyEntries: false }, (error, zip) => {
			if (error) return reject(error);
			const names: string[] = [];
			zip.on("entry", ({ fileName }) => names.push(fileName));
			zip.on("end", () => resolve(names));
			zip.on("error", reject);
		});
	});

/** Returns the files of a zip without compression, by path. */
export async function contentsOf(archive: Buffer): Promise<ReadonlyMap<string, Buffer>> {
	const zip = await fromBufferPromise(archive);
	const contents = new Map<string, Buffer>();
	for await (const entry of zip.eachEntry())
		contents.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
	return contents;
}

/** Creates a logger that keeps what it is given. */
export function recordingLogger(): Logger & {
	readonly lines: { level: string; fields: Record<string, unknown>; message: string }[];
} {
	const lines: { level: string; fields: Record<string, unknown>; message: string }[] = [];
	const at = (level: string) => (fields: object, message: string) =>
		void lines.push({ level, fields: fields as Record<string, unknown>, message });
	return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** Returns the command lines of the running ffmpeg processes that contain a text. */
export async function processesWith(text: string): Promise<string[]> {
	const { stdout } = await promisify(execFile)("ps", ["-eo", "args"]);
	return stdout.split("\n").filter((line) => line.includes(text) && line.includes("ffmpeg"));
}

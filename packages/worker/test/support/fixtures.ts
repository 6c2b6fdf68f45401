import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Logger } from "@reelmill/media";
import { fromBuffer } from "yauzl";

/** The part of a plan that asks for web.mp4 alone: a job with it takes half as long as one with all outputs. */
export const onlyMp4 = { outputs: { hls: false, dash: false, mp4_fallback: true, og_thumbnail: false } };

/** Returns a source made by ffmpeg's own generators. */
export async function makeSource(seconds: number, size = "320x180"): Promise<Buffer> {
	const folder = await mkdtemp(join(tmpdir(), "reelmill-source-"));
	try {
		const path = join(folder, "source.mp4");
		const inputs = [
			"-f",
			"lavfi",
			"-i",
			`testsrc2=size=${size}:rate=25:duration=${seconds}`,
			"-f",
			"lavfi",
			"-i",
			`sine=duration=${seconds}`,
		];
		await promisify(execFile)("ffmpeg", [
			"-v",
			"error",
			...inputs,
			"-c:v",
			"libx264",
			"-preset",
			"ultrafast",
			"-c:a",
			"aac",
			"-movflags",
			"+faststart",
			path,
		]);
		return await readFile(path);
	} finally {
		await rm(folder, { recursive: true });
	}
}

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

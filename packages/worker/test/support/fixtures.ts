import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Logger } from "@reelmill/media";
import { fromBuffer } from "yauzl";

/** A source made by ffmpeg's own generators. */
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

/** The paths in a zip. */
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

/** Keeps what was said. */
export function recordingLogger(): Logger & {
	readonly lines: { level: string; fields: Record<string, unknown>; message: string }[];
} {
	const lines: { level: string; fields: Record<string, unknown>; message: string }[] = [];
	const at = (level: string) => (fields: object, message: string) =>
		void lines.push({ level, fields: fields as Record<string, unknown>, message });
	return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** Command lines of the running processes that mention a text. */
export async function processesWith(text: string): Promise<string[]> {
	const { stdout } = await promisify(execFile)("ps", ["-eo", "args"]);
	return stdout.split("\n").filter((line) => line.includes(text) && line.includes("ffmpeg"));
}

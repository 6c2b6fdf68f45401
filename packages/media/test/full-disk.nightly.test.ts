import { execFile } from "node:child_process";
import { appendFileSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MediaError, processVideo } from "../src/index.ts";
import { decodes, everything, type Folder, job, openFolder, tools } from "./support/sources.ts";

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const videoJob = {
	...job(["h264_720"], everything),
	plan: { ...job().plan, outputs: everything, moderation_frames: true },
};

/** A full disk is the same in and out of the sandbox, which takes most of the time of such small jobs. */
const unconfined = { ...tools, confinement: "off" as const };

/** Of the steps of a job each fourth one, or all if this is `all`. */
const every = process.env.REELMILL_FULL_DISK === "all" ? 1 : 4;

/** Fills the disk under a directory to its last byte. */
function fill(directory: string): void {
	for (const bytes of [65_536, 4096, 1]) {
		const block = Buffer.alloc(bytes);
		try {
			for (;;) appendFileSync(join(directory, "..", "filler"), block);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
		}
	}
}

describe.runIf(isRoot)("a disk that gets full", () => {
	let folder: Folder;
	let disk: string;
	let source: string;
	beforeAll(async () => {
		folder = await openFolder();
		source = await folder.source("source.mp4", { size: "64x48", rate: "10", seconds: 1 });
		disk = folder.path("disk");
		await mkdir(disk);
		await run("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", disk]);
	});
	afterAll(async () => {
		await run("umount", ["-l", disk]);
		await folder.close();
	});

	/** Runs a job that finds no room from a program on; the programs that it ran, and how it ended. */
	async function attempt(isFullFrom: (command: string, nth: number) => boolean) {
		const directory = join(disk, "outputs");
		const commands: string[] = [];
		const debug = ({ command = "" }: { command?: string }) => {
			if (isFullFrom(command, commands.push(command))) fill(directory);
		};
		await mkdir(directory);
		const logger = { debug, info() {}, warn() {}, error() {} };
		const ended = await processVideo({ source, directory, tools: unconfined, job: videoJob, logger }).catch(
			(error: unknown) => error,
		);
		return { directory, commands, ended };
	}
	const tidy = async () => {
		await rm(join(disk, "filler"), { force: true });
		await rm(join(disk, "outputs"), { recursive: true });
		expect(await readdir(disk)).toEqual([]);
	};

	it("ends each step with that as its reason, blames no source, and another attempt makes the whole", async () => {
		const whole = await attempt(() => false);
		expect(whole.ended).toMatchObject({ files: expect.arrayContaining(["web.mp4", "storyboard/00001.jpg", "og.jpg"]) });
		const steps = whole.commands.length;
		await tidy();
		const survived: string[] = [];
		for (let step = 1; step <= steps; step += every) {
			const { ended, commands, directory } = await attempt((_, nth) => nth === step);
			if (ended instanceof Error) {
				expect(ended, commands.at(-1)).not.toBeInstanceOf(MediaError);
				expect(String(ended), commands[step - 1]).toMatch(/No space left on device|ENOSPC|could not be written/);
			} else {
				// Nothing was left to write: then all files are whole.
				survived.push(commands[step - 1] as string);
				for (const file of ["web.mp4", "media/h264_48.mp4"]) await decodes(join(directory, file));
				expect(await readdir(directory, { recursive: true })).not.toContain(".work");
			}
			await tidy();
		}
		// The last steps only read what was made.
		for (const command of survived) expect(command).toMatch(/^\S*ffprobe | pipe:1$| -f null -$/);
		expect(survived.length).toBeLessThan(steps / every / 2);
		const again = await attempt(() => false);
		expect(again.ended).toMatchObject({ files: (whole.ended as { files: string[] }).files });
		await tidy();
	});
});

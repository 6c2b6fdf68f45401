import { execFile, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { planDigest } from "../../src/encode/encode-chunk.ts";
import {
	createCommandTranscriber,
	encodeChunk,
	MediaError,
	planEncode,
	probe,
	processVideo,
	type Tools,
} from "../../src/index.ts";
import { execute } from "../../src/run/execute.ts";
import { processorTime } from "../../src/run/processor-time.ts";
import { pretended, pretendHardware } from "../support/pretended-hardware.ts";
import { type Folder, job, openFolder, tools } from "../support/sources.ts";

let folder: Folder;
let source: string;
beforeAll(async () => {
	folder = await openFolder();
	await chmod(folder.folder, 0o755);
	source = await folder.source("source.mp4", { size: "160x90", rate: "10", seconds: 1 });
});
afterAll(() => folder.close());

/** How long a program may stand still here. One that works is never still for so long, however busy the machine is. */
const stallSeconds = 4;

/** Writes a program that runs another one, but stops if its arguments have these words. Returns its path. */
async function stopping(name: string, words: string): Promise<string> {
	const path = folder.path(`${name}-${words.replaceAll(/\W/g, "")}`);
	await mkdir(path);
	await chmod(path, 0o755);
	const script = `#!/bin/sh\ncase " $* " in *"${words}"*) ${name} "$@" & kill -STOP $!; kill -STOP $$ ;; esac\nexec ${name} "$@"\n`;
	await writeFile(join(path, name), script, { mode: 0o755 });
	return join(path, name);
}
/** The processes that name this folder, except those that look. */
const left = async () =>
	(await promisify(execFile)("ps", ["-A", "-o", "args="])).stdout
		.split("\n")
		.filter((line) => line.includes(folder.folder));

const still = (program: string) => `${program} stood still for ${stallSeconds} s: it was stopped`;
const make = async (use: Partial<Tools>) => {
	const directory = folder.outputs();
	try {
		return await processVideo({
			...{ source, directory, job: job() },
			tools: { ...tools, stallSeconds, ...use },
		});
	} finally {
		await rm(directory, { recursive: true, force: true });
	}
};

describe.concurrent("a program that is stopped", () => {
	it.each([
		["ffprobe", "reads the packets", "ffprobe", "-show_entries"],
		["ffmpeg", "encodes", "ffmpeg", "-filter_complex"],
		["ffmpeg", "packages", "ffmpeg", "web.mp4"],
	])("%s while it %s: the attempt ends with that reason, and another may succeed", async (_, __, program, words) => {
		const error = await make({ [program]: await stopping(program, words) }).catch((error: unknown) => error);
		expect(String(error)).toContain(still(program));
		expect(error).not.toBeInstanceOf(MediaError);
	});

	it("while it encodes a chunk for another worker: the chunk's attempt ends with that reason", async () => {
		const ffmpeg = await stopping("ffmpeg", "start_frame");
		const encoding = encodeChunk({
			...{ source, directory: folder.outputs(), job: job(), chunk: { first: 0, end: 10 } },
			digest: planDigest(planEncode(await probe(source, tools), job())),
			tools: { ...tools, ffmpeg, stallSeconds },
		});
		await expect(encoding).rejects.toThrow(still("ffmpeg"));
	});

	it("a hardware encoder's: software takes over, and the report says why", async () => {
		const instead = 'ffmpeg "$@" & kill -STOP $!; kill -STOP $$';
		const ffmpeg = await pretendHardware(folder.path("stopping-hardware"), { instead });
		const { report, files } = await make({ ffmpeg, hardware: pretended });
		expect(files).toContain("web.mp4");
		expect(report.decisions).toContainEqual({
			about: "encoders",
			decision: "software after all",
			because: expect.stringContaining(still("ffmpeg")),
		});
	});

	it("and that the kernel can't kill, since it waits in a driver: the attempt ends all the same", async () => {
		const program = folder.path("unkillable");
		await writeFile(program, "#!/bin/sh\nkill -STOP $$\n", { mode: 0o755 });
		const kill = process.kill.bind(process);
		const kept = new Set<number>();
		const spared = vi.spyOn(process, "kill").mockImplementation((pid, signal) => {
			const path = `/proc/${Math.abs(pid)}/cmdline`;
			const isIts = existsSync(path) && readFileSync(path, "utf8").includes(program);
			if (!isIts) return kill(pid, signal);
			kept.add(pid);
			return true;
		});
		try {
			const running = execute("ffmpeg", { command: [program] }, { stallSeconds: 1 });
			await expect(running).rejects.toMatchObject({ name: "MachineError", fault: "program_hung" });
			expect(kept.size).toBe(1);
		} finally {
			spared.mockRestore();
			for (const pid of kept) process.kill(pid, "SIGKILL");
		}
	});

	it("a transcriber: the transcript ends with that reason", async () => {
		const program = folder.path("transcriber");
		await writeFile(program, "#!/bin/sh\nkill -STOP $$\n", { mode: 0o755 });
		const transcriber = await createCommandTranscriber({ program, stallSeconds });
		await expect(transcriber.transcribe(source, { maxSeconds: 3600 })).rejects.toThrow(still("transcriber"));
	});
});

it("leaves nothing running", async () => {
	await expect.poll(left).toEqual([]);
});

it("is no program that works: the time of its group changes", async () => {
	const run = spawn("sh", ["-c", "while :; do :; done"], { detached: true });
	const group = run.pid as number;
	try {
		const first = await processorTime(group);
		expect(first).not.toBeNull();
		await expect.poll(() => processorTime(group)).not.toEqual(first);
	} finally {
		run.kill("SIGKILL");
	}
	expect(await processorTime(2 ** 30)).toBeNull();
});

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { WorkerFault } from "@reelmill/contracts";
import { MachineError } from "@reelmill/media";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Worker, WorkerOptions } from "../../src/index.ts";
import { recordingLogger } from "../support/fixtures.ts";
import { type InternalPlaneServer, openInternalPlane } from "../support/internal-plane-server.ts";
import { startWorker } from "../support/start-worker.ts";

const run = promisify(execFile);
/** The real programs, and, since an encode costs half a second, programs that are content with all. */
const [real, works] = ['exec PROGRAM "$@"', "exit 0"];
let folder: string;
let server: InternalPlaneServer;
let worker: Worker;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-ill-"));
	await mkdir(join(folder, "work"));
	await writePrograms(works);
});
afterEach(async () => {
	const stopped = worker.stop();
	await server.close();
	await stopped;
	await rm(folder, { recursive: true });
});

/** It begins as an MP4 file does, and is none: what reads it is started, and says so. A megabyte. */
const source = Buffer.alloc(1024 ** 2);
source.write("\0\0\0\u0018ftypisom\0\0\0\0isommp42", "latin1");

type Broken = {
	readonly options?: Partial<WorkerOptions>;
	readonly mend: () => void | Promise<void>;
	readonly end?: () => Promise<unknown>;
};
/** Writes the same script as ffmpeg and as ffprobe. */
const writePrograms = async (script: string) => {
	for (const name of ["ffmpeg", "ffprobe"])
		await writeFile(join(folder, name), `#!/bin/sh\n${script.replace("PROGRAM", name)}\n`, { mode: 0o755 });
};
const programs = async (script: string | null, mended = works): Promise<Broken> => {
	if (script === null) await Promise.all(["ffmpeg", "ffprobe"].map((name) => rm(join(folder, name))));
	else await writePrograms(script);
	return { mend: () => writePrograms(mended) };
};
/** Fills the work directory, a disk of 4 MiB, until the source has no room, and less than a tenth is free. */
async function fullDisk(): Promise<Broken> {
	const disk = join(folder, "work");
	await run("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]);
	await writeFile(join(disk, "filler"), Buffer.alloc(3.75 * 1024 ** 2));
	return {
		options: { leastFreeBytes: 1024 ** 3 },
		mend: () => rm(join(disk, "filler")),
		end: () => run("umount", ["-l", disk]),
	};
}
function awayBucket(): Broken {
	let isAway = true;
	const isOfBucket = (url: string, method?: string) => url.includes(bucket) || method === "HEAD";
	const reach: typeof fetch = async (input, init) => {
		if (isAway && isOfBucket(String(input instanceof Request ? input.url : input), init?.method))
			throw new TypeError("fetch failed");
		return fetch(input, init);
	};
	return {
		options: { fetch: reach },
		mend() {
			isAway = false;
		},
	};
}
function goneModel(): Broken {
	let isGone = true;
	const check = async () => {
		if (isGone) throw new MachineError("model_missing", "The Whisper model can't be read (ENOENT).");
	};
	const transcribe = () => Promise.reject(new Error("unused"));
	return {
		options: { transcriber: { name: "whisper", transcribe, check } },
		mend() {
			isGone = false;
		},
	};
}
const bucket = "/bucket/source.mp4";
const isRoot = process.getuid?.() === 0;

const faults: [string, WorkerFault, () => Broken | Promise<Broken>][] = [
	["ffmpeg and ffprobe are gone", "program_unusable", () => programs(null, real)],
	["they can't find their libraries", "program_unusable", () => programs("exit 127")],
	["they are killed", "program_killed", () => programs("kill -KILL $$")],
	["they hang", "program_hung", () => programs("exec sleep 1000")],
	["the model of transcripts is gone", "model_missing", goneModel],
	["the bucket can't be reached from here", "storage_unreachable", awayBucket],
];
if (isRoot) faults.push(["the disk is full", "disk_full", fullDisk]);

describe.each(faults)("a worker, if %s", (_, fault, breakIt) => {
	it("costs two jobs no attempt, says what is wrong, claims nothing, and gets well by itself", async () => {
		const { options, mend, end } = await breakIt();
		try {
			const plan = { transcript: fault === "model_missing" };
			server = await openInternalPlane({
				...{ source, offers: 3, plan },
				...(fault === "storage_unreachable" && { bucket }),
			});
			const logger = recordingLogger();
			const sleep: WorkerOptions["sleep"] = (milliseconds, signal) =>
				new Promise((resolve) => {
					const timer = setTimeout(resolve, milliseconds / 50);
					signal?.addEventListener("abort", () => resolve(clearTimeout(timer)), { once: true });
				});
			const apiUrl = server.url;
			worker = startWorker({
				...{ apiUrl, workDirectory: join(folder, "work"), logger, sleep, leastFreeBytes: 1 },
				tools: {
					ffmpeg: join(folder, "ffmpeg"),
					ffprobe: join(folder, "ffprobe"),
					confinement: "off",
					stallSeconds: 1,
				},
				...options,
			});
			const { body } = await server.seen((call) => "fault" in call.body);
			expect(body).toMatchObject({ worker: "test-worker", wait_seconds: 0, fault });
			expect(worker.status()).toMatchObject({ claims: false, illness: { code: fault, message: expect.any(String) } });
			const atFault = { retryable: true, worker_fault: fault, message: expect.any(String) };
			expect(server.of("/fail").map((call) => call.body)).toMatchObject([atFault, atFault]);
			expect(server.of("/claim").filter((call) => !("fault" in call.body))).toHaveLength(2);
			// Nothing but a bucket's silence is tried again within a job.
			if (fault !== "storage_unreachable") expect(server.of("/source").length).toBeLessThanOrEqual(2);

			await mend();
			const third = await server.seen(
				({ route }) => route.endsWith("/fail") && (server as InternalPlaneServer).of("/fail").length === 3,
			);
			// The source is what is wrong now, or what the programs say of it.
			expect(third.body).not.toHaveProperty("worker_fault");
			expect(worker.status().illness).toBeNull();
			const changes = logger.lines.filter(({ message }) => message.startsWith("this worker is"));
			expect(changes.map(({ level, fields }) => [level, fields.fault])).toEqual([
				["error", fault],
				["info", fault],
			]);
		} finally {
			await worker.stop();
			await end?.();
		}
	});
});

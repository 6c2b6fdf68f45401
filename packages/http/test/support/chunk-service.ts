import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Video } from "@reelmill/contracts";
import { systemClock } from "@reelmill/engine";
import { createRecordingLogger, type RecordingLogger } from "@reelmill/engine/testing";
import { createWorker } from "@reelmill/worker";
import { afterEach, beforeAll, beforeEach, expect } from "vitest";
import { makeSource } from "../../../worker/test/support/make-source.ts";
import { eventually } from "./open-faulty-service.ts";
import { initiate, once as onceBytes, openService, type Service } from "./open-service.ts";

export const run = promisify(execFile);
export const closing: (() => Promise<unknown>)[] = [];
let source: Buffer;
export let directory: string;
export let service: Service;
export let logger: RecordingLogger;
let secret: string;
export let auth: Record<string, string>;

/** Gives each test of a file a service, a tenant with H.264 alone, and a folder for workers. */
export function provideChunkService(): void {
	beforeAll(async () => {
		source = await makeSource(60, { size: "192x108", rate: 10, keyFrameDistance: 70 });
	});
	beforeEach(async () => {
		directory = await mkdtemp(join(tmpdir(), "reelmill-chunks-"));
		logger = createRecordingLogger();
		service = await openService({}, () => ({ clock: systemClock, windows: { lock: 15, sweep: 1 } }));
		await service.engine.start();
		({ secret } = await service.engine.accounts.ensure({ name: "worker" }));
		// AV1 only where tracks are compared: who works on what doesn't depend on it, and it takes most of the time.
		await useRenditions(["h264_720"]);
		closing.push(async () => {
			await service.engine.stop();
			await service.close();
			await rm(directory, { recursive: true, force: true });
		});
	});
	afterEach(async () => {
		for (const close of closing.splice(0).reverse()) await close();
	});
}

/** Makes the tenant one with these renditions. */
export async function useRenditions(renditions: ("h264_720" | "av1_720")[]): Promise<void> {
	({ auth } = await service.tenant({ renditions, default_visibility: "public" }));
}

export async function upload(): Promise<string> {
	const { video, upload: ticket } = await initiate(service, auth, { file_size: source.length });
	const principal = await service.engine.uploads.authenticate(`Bearer ${ticket.token}`);
	await service.engine.uploads.create(principal, { videoId: video.id, length: source.length });
	await service.engine.uploads.append(principal, video.id, 0, onceBytes(source));
	return video.id;
}
export const rows = <Row extends Record<string, unknown>>(text: string) =>
	service.database.query<Row>({ text, values: [] });
export const chunks = () =>
	rows<{ state: string; attempt: number }>("select state, attempt from reelmill.chunks order by number");
const video = async (id: string) => (await service.send({ path: `/v1/videos/${id}`, headers: auth })).json as Video;
export const ended = (id: string) =>
	eventually(
		() => video(id),
		({ state }) => ["available", "failed"].includes(state),
	);
export const parts = async () =>
	(await readdir(service.outputsDirectory, { recursive: true })).filter(
		(path) => path.includes("chunks/") && path.endsWith(".mp4"),
	);
/** Says that so many others wait, whatever workers there are. */
export const pretendIdle = (count: number) =>
	rows(
		`insert into reelmill.waiting_workers select gen_random_uuid(), 'pretended ' || n, now() + interval '1 hour' from generate_series(1, ${count}) n`,
	);

/** Lets the locks of a killed worker run out at once. */
export const expire = (table: "chunks" | "jobs") =>
	rows(`update reelmill.${table} set lock_expires_at = now() where lock is not null`);

/** An ffmpeg that stands still at the first or at the last chunk, or at any encode, until the file `gate` is there. */
export async function standingFfmpeg(
	chunk: "first" | "last" | "any",
): Promise<{ path: string; open(): Promise<void> }> {
	const path = join(directory, `ffmpeg-${chunk}`);
	const gate = join(directory, `gate-${chunk}`);
	const wait = `while [ ! -e ${gate} ]; do sleep 0.1; [ -d ${directory} ] || exit 1; done`;
	const frames = { first: "start_frame=0:", last: "end_frame=600,", any: "-filter_complex " }[chunk];
	await writeFile(path, `#!/bin/sh\ncase "$*" in *"${frames}"*) ${wait};; esac\nexec ffmpeg "$@"\n`, { mode: 0o755 });
	return { path, open: () => writeFile(gate, "") };
}
export async function startWorker(machine: string, options: { ffmpeg?: string; chunkWorkers?: number } = {}) {
	const { ffmpeg = "ffmpeg", ...more } = options;
	const worker = createWorker({
		...{
			apiUrl: service.url,
			name: "worker",
			secret,
			workDirectory: join(directory, machine),
			logger,
			machine,
			// A worker between two claims waits for nothing, and isn't counted.
			claimWaitSeconds: 30,
			...more,
		},
		tools: { ffmpeg, ffprobe: "ffprobe", confinement: "off" },
		graceSeconds: 0,
	});
	closing.push(worker.stop);
	worker.start();
	return worker;
}
export async function startProcess(ffmpeg: string, folder = "process") {
	const script = fileURLToPath(new URL("./working-process.ts", import.meta.url));
	const child = spawn(process.execPath, [script, service.url, secret, join(directory, folder), ffmpeg], {
		stdio: "ignore",
	});
	const kill = async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.kill("SIGKILL");
		await once(child, "exit");
	};
	closing.push(kill);
	return kill;
}
/** Command lines of the programs that work in this folder of a worker. */
export async function programs(machine: string): Promise<string[]> {
	const { stdout } = await run("ps", ["-eo", "stat,args"]);
	return stdout
		.split("\n")
		.filter((line) => line.includes(join(directory, machine)) && line.includes("start_frame") && !line.startsWith("Z"));
}

export const tracks = ["h264_108", "av1_108"];
/** Time, size and kind of every picture, as a player gets them. */
export async function pictures(id: string, track: string): Promise<{ time: string; isKey: boolean }[]> {
	const entries = ["-select_streams", "v", "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0"];
	const { stdout } = await run("ffprobe", [
		"-v",
		"error",
		...entries,
		`${service.url}/videos/${id}/media/${track}.mp4`,
	]);
	const packets = stdout.trim().split("\n");
	return packets
		.map((line) => ({ time: line.split(",")[0] ?? "", isKey: line.includes("K") }))
		.sort((a, b) => Number(a.time) - Number(b.time));
}
export async function playsWhole(id: string): Promise<void> {
	for (const file of ["hls/master.m3u8", "web.mp4"]) {
		const { stderr } = await run("ffmpeg", [
			"-v",
			"error",
			"-xerror",
			"-i",
			`${service.url}/videos/${id}/${file}`,
			"-f",
			"null",
			"-",
		]);
		expect(stderr).toBe("");
	}
}

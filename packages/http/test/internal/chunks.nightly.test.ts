import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Video } from "@reelmill/contracts";
import { systemClock } from "@reelmill/engine";
import { createRecordingLogger, type RecordingLogger } from "@reelmill/engine/testing";
import { createWorker } from "@reelmill/worker";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeSource } from "../../../worker/test/support/make-source.ts";
import { eventually } from "../support/open-faulty-service.ts";
import { initiate, once as onceBytes, openService, type Service } from "../support/open-service.ts";

const run = promisify(execFile);
const closing: (() => Promise<unknown>)[] = [];
let source: Buffer;
let directory: string;
let service: Service;
let logger: RecordingLogger;
let secret: string;
let auth: Record<string, string>;

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

/** Makes the tenant one with these renditions. */
async function useRenditions(renditions: ("h264_720" | "av1_720")[]): Promise<void> {
	({ auth } = await service.tenant({ renditions, default_visibility: "public" }));
}

async function upload(): Promise<string> {
	const { video, upload: ticket } = await initiate(service, auth, { file_size: source.length });
	const principal = await service.engine.uploads.authenticate(`Bearer ${ticket.token}`);
	await service.engine.uploads.create(principal, { videoId: video.id, length: source.length });
	await service.engine.uploads.append(principal, video.id, 0, onceBytes(source));
	return video.id;
}
const rows = <Row extends Record<string, unknown>>(text: string) => service.database.query<Row>({ text, values: [] });
const chunks = () =>
	rows<{ state: string; attempt: number }>("select state, attempt from reelmill.chunks order by number");
const video = async (id: string) => (await service.send({ path: `/v1/videos/${id}`, headers: auth })).json as Video;
const ended = (id: string) =>
	eventually(
		() => video(id),
		({ state }) => ["available", "failed"].includes(state),
	);
const parts = async () =>
	(await readdir(service.outputsDirectory, { recursive: true })).filter(
		(path) => path.includes("chunks/") && path.endsWith(".mp4"),
	);
/** Says that so many others wait, whatever workers there are. */
const pretendIdle = (count: number) =>
	rows(
		`insert into reelmill.waiting_workers select gen_random_uuid(), 'pretended ' || n, now() + interval '1 hour' from generate_series(1, ${count}) n`,
	);

/** Lets the locks of a killed worker run out at once. */
const expire = (table: "chunks" | "jobs") =>
	rows(`update reelmill.${table} set lock_expires_at = now() where lock is not null`);

/** An ffmpeg that stands still at the first or at the last chunk, or at any encode, until the file `gate` is there. */
async function standingFfmpeg(chunk: "first" | "last" | "any"): Promise<{ path: string; open(): Promise<void> }> {
	const path = join(directory, `ffmpeg-${chunk}`);
	const gate = join(directory, `gate-${chunk}`);
	const wait = `while [ ! -e ${gate} ]; do sleep 0.1; [ -d ${directory} ] || exit 1; done`;
	const frames = { first: "start_frame=0:", last: "end_frame=600,", any: "-filter_complex " }[chunk];
	await writeFile(path, `#!/bin/sh\ncase "$*" in *"${frames}"*) ${wait};; esac\nexec ffmpeg "$@"\n`, { mode: 0o755 });
	return { path, open: () => writeFile(gate, "") };
}
async function startWorker(machine: string, options: { ffmpeg?: string; chunkWorkers?: number } = {}) {
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
async function startProcess(ffmpeg: string, folder = "process") {
	const script = fileURLToPath(new URL("../support/working-process.ts", import.meta.url));
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
async function programs(machine: string): Promise<string[]> {
	const { stdout } = await run("ps", ["-eo", "stat,args"]);
	return stdout
		.split("\n")
		.filter((line) => line.includes(join(directory, machine)) && line.includes("start_frame") && !line.startsWith("Z"));
}

/** Time, size and kind of every picture, as a player gets them. */
async function pictures(id: string, track: string): Promise<{ time: string; isKey: boolean }[]> {
	const entries = ["-select_streams", "v", "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0"];
	const url = `${service.url}/videos/${id}/media/${track}.mp4`;
	const { stdout } = await run("ffprobe", ["-v", "error", ...entries, url]);
	const packets = stdout.trim().split("\n");
	return packets
		.map((line) => ({ time: line.split(",")[0] ?? "", isKey: line.includes("K") }))
		.sort((a, b) => Number(a.time) - Number(b.time));
}
async function playsWhole(id: string): Promise<void> {
	for (const file of ["hls/master.m3u8", "web.mp4"]) {
		const url = `${service.url}/videos/${id}/${file}`;
		const { stderr } = await run("ffmpeg", ["-v", "error", "-xerror", "-i", url, "-f", "null", "-"]);
		expect(stderr).toBe("");
	}
}
const report = async (id: string) =>
	JSON.stringify((await service.send({ path: `/v1/videos/${id}/report`, headers: auth })).json);

describe("a video", () => {
	it("that two workers encode equals one encode: every picture at its time, the same key frames, no jump", async () => {
		await useRenditions(["h264_720", "av1_720"]);
		await Promise.all([startWorker("one"), startWorker("two")]);
		await expect.poll(async () => (await rows("select id from reelmill.waiting_workers")).length).toBe(2);
		const joined = await upload();
		expect(await ended(joined), JSON.stringify(logger.entries)).toMatchObject({
			state: "available",
			progress: 100,
			duration_seconds: 60,
		});
		expect(await report(joined)).toContain("in 2 chunks, 1 of them by other workers");
		expect(await chunks()).toEqual([]);
		await expect.poll(parts).toEqual([]);

		for (const close of closing.splice(1).reverse()) await close();
		await startWorker("alone", { chunkWorkers: 1 });
		const whole = await upload();
		expect(await ended(whole)).toMatchObject({ state: "available" });
		await playsWhole(joined);
		for (const track of ["h264_108", "av1_108"]) {
			const found = await pictures(joined, track);
			expect(found).toEqual(await pictures(whole, track));
			expect(found).toHaveLength(600);
			const url = (id: string) => `${service.url}/videos/${id}/media/${track}.mp4`;
			const stats = join(directory, "ssim.txt");
			const graph = `[0:v]settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[b];[a][b]ssim=stats_file=${stats}`;
			await run("ffmpeg", ["-v", "error", "-i", url(joined), "-i", url(whole), "-lavfi", graph, "-f", "null", "-"]);
			const alike = [...(await readFile(stats, "utf8")).matchAll(/All:([\d.]+)/g)].map(([, all]) => Number(all));
			expect(Math.min(...alike)).toBeGreaterThan(0.9);
		}
	});

	it("that lost its only worker is cut by the next one, so that the one after it makes what is left, each on another machine", async () => {
		const id = await upload();
		const standsAtAll = await startProcess((await standingFfmpeg("any")).path);
		await expect.poll(() => rows("select id from reelmill.jobs where lock is not null")).toHaveLength(1);
		await standsAtAll();
		await expire("jobs");
		const standsAtFirst = await startProcess((await standingFfmpeg("first")).path, "process-2");
		await expect.poll(chunks).toMatchObject([{ state: "done" }, { state: "done" }]);
		expect(await parts()).toHaveLength(2);
		await standsAtFirst();
		await expire("jobs");
		await startWorker("third");
		expect(await ended(id), JSON.stringify(logger.entries)).toMatchObject({ state: "available" });
		const told = await report(id);
		expect(told).toContain("in 3 chunks, 2 of them by other workers");
		expect(told).toContain("an earlier attempt was interrupted");
		expect((await pictures(id, "h264_108")).length).toBe(600);
		await playsWhole(id);
		expect(await chunks()).toEqual([]);
		await expect.poll(parts).toEqual([]);
	});

	it("whose helper is killed in the middle is finished by its own worker, which takes the chunk over", async () => {
		const own = await standingFfmpeg("first");
		const id = await upload();
		await pretendIdle(1);
		await startWorker("parent", { ffmpeg: own.path });
		await expect.poll(async () => (await chunks()).length).toBe(1);
		const kill = await startProcess((await standingFfmpeg("last")).path);
		await expect.poll(() => programs("process")).not.toEqual([]);
		expect(await chunks()).toMatchObject([{ state: "locked" }]);
		await kill();
		await expire("chunks");
		await own.open();
		expect(await ended(id), JSON.stringify(logger.entries)).toMatchObject({ state: "available" });
		expect(await report(id)).toContain("in 2 chunks, 0 of them by other workers");
		expect((await pictures(id, "h264_108")).length).toBe(600);
		await playsWhole(id);
		expect(await chunks()).toEqual([]);
	});

	it("whose own worker is killed keeps the chunk that is finished for the next attempt, on another machine, which makes the others", async () => {
		const id = await upload();
		await pretendIdle(2);
		const kill = await startProcess((await standingFfmpeg("first")).path);
		await expect.poll(async () => (await chunks()).length).toBe(2);
		const before = await rows<{ id: string }>("select id from reelmill.chunks");
		await startWorker("helper", { ffmpeg: (await standingFfmpeg("last")).path });
		await expect.poll(chunks).toMatchObject([{ state: "done" }, { state: "locked" }]);
		await expect.poll(() => programs("helper")).not.toEqual([]);
		await kill();
		await expire("jobs");
		await expect.poll(() => programs("helper")).toEqual([]);
		// Free again, the helper takes the video itself, and offers the same chunks.
		const fresh = async () =>
			(await rows<{ id: string }>("select id from reelmill.chunks")).filter(
				({ id: chunk }) => !before.some((old) => old.id === chunk),
			);
		await expect.poll(async () => (await fresh()).length).toBe(1);
		expect(await chunks()).toMatchObject([{ state: "done", attempt: 1 }, {}]);
		await writeFile(join(directory, "gate-last"), "");
		expect(await ended(id), JSON.stringify(logger.entries)).toMatchObject({ state: "available" });
		expect(await report(id)).toContain("in 3 chunks, 1 of them by other workers");
		expect((await pictures(id, "h264_108")).length).toBe(600);
		await playsWhole(id);
		expect(await chunks()).toEqual([]);
		await expect.poll(parts).toEqual([]);
	});

	it.each([
		["cancelled", "POST", "/cancel", 200],
		["deleted", "DELETE", "", 204],
	] as const)(
		"that is %s in the middle stops all who encode it, and leaves no part",
		async (_, method, end, status) => {
			const [own, last] = [await standingFfmpeg("first"), await standingFfmpeg("last")];
			const id = await upload();
			await pretendIdle(2);
			await startWorker("parent", { ffmpeg: own.path });
			await expect.poll(async () => (await chunks()).length).toBe(2);
			await startWorker("helper", { ffmpeg: last.path });
			await expect.poll(chunks).toMatchObject([{ state: "done" }, { state: "locked" }]);
			await expect.poll(() => programs("helper")).not.toEqual([]);
			expect(await parts()).toHaveLength(1);
			expect((await service.send({ method, path: `/v1/videos/${id}${end}`, headers: auth })).status).toBe(status);
			expect(await chunks()).toEqual([]);
			await expect.poll(parts).toEqual([]);
			await expect.poll(async () => [...(await programs("helper")), ...(await programs("parent"))]).toEqual([]);
		},
	);
});

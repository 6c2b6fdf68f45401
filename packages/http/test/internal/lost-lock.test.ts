import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemClock } from "@reelmill/engine";
import { createRecordingLogger, type RecordingLogger } from "@reelmill/engine/testing";
import { openTcpFaultProxy, type TcpFaultProxy } from "@reelmill/fault-proxy";
import { createWorker } from "@reelmill/worker";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { initiate, once, openService, type Service } from "../support/open-service.ts";

const run = promisify(execFile);
const closing: (() => Promise<unknown>)[] = [];
let programs: string;
let directory: string;
let workDirectory: string;
let source: Buffer;
let service: Service;
let proxy: TcpFaultProxy;
let logger: RecordingLogger;
let auth: Record<string, string>;
let id: string;

beforeAll(async () => {
	const folder = await mkdtemp(join(tmpdir(), "reelmill-source-"));
	const inputs = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=60"];
	await run("ffmpeg", [
		"-v",
		"error",
		...inputs,
		"-c:v",
		"libx264",
		"-preset",
		"ultrafast",
		join(folder, "source.mp4"),
	]);
	source = await readFile(join(folder, "source.mp4"));
	await rm(folder, { recursive: true });
	// It encodes a second in a second, longer than any of these tests, and leaves the processors to others.
	programs = await mkdtemp(join(tmpdir(), "reelmill-programs-"));
	await writeFile(join(programs, "ffmpeg"), '#!/bin/sh\nexec ffmpeg -re "$@"\n', { mode: 0o755 });
	await chmod(programs, 0o755);
});
afterAll(() => rm(programs, { recursive: true }));
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-lock-"));
	workDirectory = join(directory, "work");
	service = await openService({}, () => ({ clock: systemClock, windows: { lock: 20, sweep: 3600 } }));
	const { hostname, port } = new URL(service.url);
	proxy = await openTcpFaultProxy({ target: { host: hostname, port: Number(port) } });
	({ auth } = await service.tenant({ renditions: ["h264_720"] }));
	const { video, upload } = await initiate(service, auth, { file_size: source.length });
	id = video.id;
	const principal = await service.engine.uploads.authenticate(`Bearer ${upload.token}`);
	await service.engine.uploads.create(principal, { videoId: id, length: source.length });
	await service.engine.uploads.append(principal, id, 0, once(source));
	const { secret } = await service.engine.accounts.ensure({ name: "worker" });
	logger = createRecordingLogger();
	const tools = { ffmpeg: join(programs, "ffmpeg"), ffprobe: "ffprobe" };
	const worker = createWorker({
		apiUrl: `http://127.0.0.1:${proxy.port}`,
		name: "worker",
		secret,
		workDirectory,
		tools,
		logger,
		graceSeconds: 0,
	});
	worker.start();
	closing.push(async () => {
		proxy.refuse();
		await Promise.all([worker.stop(), proxy.close()]);
		await service.engine.stop();
		await service.close();
		await rm(directory, { recursive: true });
	});
	const progress = async () =>
		((await service.send({ path: `/v1/videos/${id}`, headers: auth })).json as { progress: number }).progress;
	await expect.poll(progress, { interval: 500 }).toBeGreaterThan(1);
	expect(await encoders()).not.toEqual([]);
});
afterEach(async () => {
	for (const close of closing.splice(0)) await close();
});

/** Command lines of the encoders that work for this test. */
async function encoders(): Promise<string[]> {
	const { stdout } = await run("ps", ["-eo", "stat,args"]);
	return stdout
		.split("\n")
		.filter((line) => line.includes(workDirectory) && line.includes("ffmpeg") && !line.startsWith("Z"));
}
const gone = () => expect.poll(encoders, { interval: 250 }).toEqual([]);
const lockEnds = async (): Promise<number> => {
	const [row] = await service.database.query<{ lock_expires_at: Date }>({
		text: "select lock_expires_at from reelmill.jobs where id = $1",
		values: [id],
	});
	return row?.lock_expires_at.getTime() ?? Number.NaN;
};

describe("a worker with a running ffmpeg", () => {
	it.each<[string, () => void]>([
		["falls silent", () => proxy.stall()],
		["can't be reached", () => proxy.refuse()],
	])("kills it before the lock runs out when the server %s", async (_, fail) => {
		fail();
		await gone();
		expect(Date.now()).toBeLessThan(await lockEnds());
		await expect
			.poll(() => logger.entries.map(({ message }) => message))
			.toContain("job dropped: its lock is no longer held");
	});

	it.each([
		["cancelled", "POST", "/cancel", 200],
		["deleted", "DELETE", "", 204],
	] as const)("kills it with the next heartbeat when its video is %s", async (_, method, end, status) => {
		expect((await service.send({ method, path: `/v1/videos/${id}${end}`, headers: auth })).status).toBe(status);
		await gone();
		expect(logger.entries.filter(({ level }) => level === "error")).toEqual([]);
	});
});

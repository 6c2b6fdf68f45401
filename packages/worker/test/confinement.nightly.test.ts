import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Worker, WorkerOptions } from "../src/index.ts";
import { onlyMp4, recordingLogger } from "./support/fixtures.ts";
import { type InternalPlaneServer, lock, openInternalPlane } from "./support/internal-plane-server.ts";
import { smallSource } from "./support/make-source.ts";
import { startWorker } from "./support/start-worker.ts";

let source: Buffer;
let folder: string;
let ffprobe: string;
let server: InternalPlaneServer;
let worker: Worker;

beforeAll(async () => {
	source = await smallSource(1);
});
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-worker-"));
	// This program runs, but not in bubblewrap, where that file is missing.
	ffprobe = join(folder, "ffprobe");
	await writeFile(ffprobe, '#!/bin/sh\n[ -e /etc/passwd ] || exit 1\nexec ffprobe "$@"\n');
	await chmod(ffprobe, 0o755);
});
afterEach(async () => {
	const stopped = worker.stop();
	await server.close();
	await stopped;
	await rm(folder, { recursive: true });
});

const start = (options: Partial<WorkerOptions>) => {
	const logger = recordingLogger();
	const given = { apiUrl: server.url, workDirectory: join(folder, "work"), tools: { ffmpeg: "ffmpeg", ffprobe } };
	worker = startWorker({ ...given, logger, ...options });
	return logger;
};
const claims = () => server.of("/claim").map(({ body }) => body);
const isCall = (end: string) => (call: { route: string }) => call.route.endsWith(end);

it("warns if ffmpeg can't be fully confined, and asks for no jobs of the sandbox", async () => {
	server = await openInternalPlane({ source, plan: onlyMp4 });
	const missing: unknown[] = [];
	const logger = start({ onConfinement: (parts) => missing.push(parts) });
	await server.seen(isCall("/complete"));
	expect(claims()[0]).toMatchObject({ takes_sandbox: false });
	expect(missing).toEqual([["files", "system_calls"]]);
	expect(logger.lines.find(({ level }) => level === "warn")?.message).toBe(
		"ffmpeg is not confined here as it could be: it sees more files than its own, its system calls are not filtered",
	);
});

it("gives back a job of the sandbox that a server gives it nevertheless", async () => {
	const refuse = (route: string, nth: number) =>
		route.endsWith("/claim") && nth <= 2 ? ("validation_error" as const) : undefined;
	server = await openInternalPlane({ source, plan: { ...onlyMp4, watermark: true }, refuse });
	start({});
	const { body } = await server.seen(isCall("/fail"));
	expect(body).toMatchObject({
		lock,
		retryable: true,
		message: expect.stringContaining("ffmpeg can't be confined here"),
	});
	expect(claims()[2]).not.toHaveProperty("takes_sandbox");
});

it("takes jobs of the sandbox if its operator has switched the confinement off", async () => {
	server = await openInternalPlane({ source, plan: { ...onlyMp4, watermark: true } });
	const logger = start({ tools: { ffmpeg: "ffmpeg", ffprobe, confinement: "off" } });
	await server.seen(isCall("/complete"));
	expect(claims()[0]).not.toHaveProperty("takes_sandbox");
	expect(logger.lines.map(({ message }) => message)).toContain("ffmpeg's confinement is switched off");
});

it("claims nothing if ffmpeg must be confined and can't be, and logs the reason", async () => {
	server = await openInternalPlane({ source, plan: onlyMp4 });
	const tries: string[] = [];
	const logger = start({
		tools: { ffmpeg: "ffmpeg", ffprobe, confinement: "required" },
		sleep: async () => void tries.push("waited"),
	});
	await expect.poll(() => tries.length).toBeGreaterThan(1);
	expect(server.of("")).toEqual([]);
	expect(logger.lines.map(({ fields }) => fields.cause)).toContainEqual(
		expect.stringContaining("ffmpeg can't be confined here: it sees more files than its own"),
	);
});

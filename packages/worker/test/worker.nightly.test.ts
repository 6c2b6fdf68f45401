import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Worker, WorkerOptions } from "../src/index.ts";
import { entriesOf, recordingLogger } from "./support/fixtures.ts";
import { type InternalPlaneServer, openInternalPlane } from "./support/internal-plane-server.ts";
import { smallSource } from "./support/make-source.ts";
import { startWorker } from "./support/start-worker.ts";

let source: Buffer;
let workDirectory: string;
let server: InternalPlaneServer | undefined;
let worker: Worker | undefined;

const start = (apiUrl: string, options: Partial<WorkerOptions> = {}) => {
	const logger = recordingLogger();
	worker = startWorker({ apiUrl, workDirectory, logger, ...options });
	return { worker, logger };
};
const isCall = (end: string) => (call: { route: string }) => call.route.endsWith(end);

beforeAll(async () => {
	source = await smallSource();
});
beforeEach(async () => {
	workDirectory = await mkdtemp(join(tmpdir(), "reelmill-worker-"));
});
afterEach(async () => {
	const stopped = worker?.stop();
	await server?.close();
	await stopped;
	server = undefined;
	worker = undefined;
	await rm(workDirectory, { recursive: true });
});

describe("a worker with a job", () => {
	it("completes the job although the server refuses what is playable before", async () => {
		const refuse = (route: string) => (route.endsWith("/outputs?part=playable") ? "zip_too_large" : undefined);
		server = await openInternalPlane({ source, renditions: ["h264_720", "av1_720"], playableFirst: true, refuse });
		const { logger } = start(server.url);
		await server.seen(isCall("/complete"));
		expect(server.playable()).toBeUndefined();
		expect(await entriesOf(server.archive() as Buffer)).toContain("media/av1_90.mp4");
		expect(logger.lines.map(({ message }) => message)).toContain(
			"the playable files could not be sent before the rest",
		);
	});
});

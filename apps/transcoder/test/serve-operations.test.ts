import { createWorker } from "@reelmill/worker";
import { expect, it } from "vitest";
import { createTranscoderMetrics } from "../src/metrics.ts";
import { serveOperations } from "../src/serve-operations.ts";

it("says on the operations port what is wrong with a transcoder that is ill", async () => {
	const logger = { debug() {}, info() {}, warn() {}, error() {} };
	const tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe" };
	const address = { apiUrl: "http://127.0.0.1:9", name: "t", secret: "s", workDirectory: "/nowhere" };
	const worker = createWorker({ ...address, tools, logger });
	const illness = { code: "disk_full", message: "The work directory has 3 MiB free." } as const;
	const ill = { ...worker, status: () => ({ ...worker.status(), illness }) };
	const metrics = createTranscoderMetrics("/");
	metrics.worker.show(ill.status);
	const settings = { OPS_PORT: 0, OPS_HOST: "127.0.0.1" };
	const { operationsPort } = await serveOperations(settings, { worker: ill, metrics, logger });
	const get = (page: string) => fetch(`http://127.0.0.1:${operationsPort}${page}`);
	const ready = await get("/ready");
	expect([ready.status, await ready.json()]).toEqual([
		503,
		{
			status: "unavailable",
			checks: { claims: false, well: false },
			reason: "disk_full: The work directory has 3 MiB free.",
		},
	]);
	const text = await (await get("/metrics")).text();
	expect(text.match(/^reelmill_worker_fault\{.*\} 1$/gm)).toEqual(['reelmill_worker_fault{fault="disk_full"} 1']);
	expect(text).toContain('reelmill_worker_fault{fault="program_hung"} 0');
});

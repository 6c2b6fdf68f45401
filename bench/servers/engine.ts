import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { renditionNames } from "@reelmill/contracts";
import { createEngine } from "@reelmill/engine";
import { createNodeListener } from "@reelmill/http";
import { startTracing } from "@reelmill/opentelemetry";
import { serverOptions } from "../engine-options.ts";
import { copyRows } from "../sizing/database.ts";
import { openEngine } from "./open-engine.ts";
import { files } from "./outputs.ts";
import { publish } from "./publish.ts";

// With the address of a collector, and the share of requests that are recorded, it traces.
const [collector, ratio] = process.argv.slice(2);
/** So many are asked for in turn: a server's clients seldom ask for the same video at the same time. */
const videos = 200;
const tracing =
	collector === undefined
		? null
		: await startTracing({
				serviceName: "bench",
				url: collector,
				sampler: "parentbased_traceidratio",
				ratio: Number(ratio),
			});
const { engine, options, apiKey, close } = await openEngine();
const principal = await engine.keys.authenticate(`Bearer ${apiKey}`);
const frames = Array.from({ length: 20 }, (_, index) => `frames/${String(index + 1).padStart(5, "0")}.jpg`);
await publish(engine, principal, {
	visibility: "private",
	files: { ...files, ...Object.fromEntries(frames.map((path) => [path, new Uint8Array(1)])) },
	renditions: [{ name: "h264_720", codec: "h264", width: 1280, height: 720, bitrate: 1_850_000 }],
	report: {
		source: { container: "mov", width: 1280, height: 720, frame_rate: 29.97 },
		decisions: renditionNames.map((about) => ({ about, decision: "made", because: "the source has as many lines" })),
	},
});
await copyRows(options.database, videos);
const listed = await options.database.query<{ id: string }>({ text: "select id from reelmill.videos", values: [] });
await engine.stop();
// This one never starts, so that nothing in the background is measured with the requests.
// One key makes thousands of calls per second; what counting costs is measured by the benchmark of rate limits.
const served = createEngine({
	...options,
	...(tracing !== null && { tracer: tracing.tracer }),
	rateLimiter: { take: async () => ({ allowed: true }) },
});
const server = createServer(serverOptions, createNodeListener(served)).listen(0, "127.0.0.1", () => {
	const headers = { authorization: `Bearer ${apiKey}` };
	const requests = listed.map(({ id }) => ({ path: `/v1/videos/${id}`, headers }));
	const page = [{ path: "/v1/videos?limit=100", headers }];
	console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, page }));
});
process.once("SIGTERM", async () => {
	server.closeAllConnections();
	// What its clients have left unanswered ends before the database is closed.
	await wait(200);
	await tracing?.stop();
	await close();
	process.exit(0);
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEngine } from "@reelmill/engine";
import { createNodeListener } from "@reelmill/http";
import { startTracing } from "@reelmill/opentelemetry";
import { serverOptions } from "../engine-options.ts";
import { openEngine } from "./open-engine.ts";

// With the address of a collector, and the share of requests that are recorded, it traces.
const [collector, ratio] = process.argv.slice(2);
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
const { video } = await engine.videos.create(principal, { content_type: "video/mp4", file_size: 1 });
await engine.stop();
// This one never starts, so that nothing in the background is measured with the requests.
// One key makes thousands of calls per second; what counting costs is measured by the benchmark of rate limits.
const served = createEngine({
	...options,
	...(tracing !== null && { tracer: tracing.tracer }),
	rateLimiter: { take: async () => ({ allowed: true }) },
});
const server = createServer(serverOptions, createNodeListener(served)).listen(0, "127.0.0.1", () => {
	const requests = [{ path: `/v1/videos/${video.id}`, headers: { authorization: `Bearer ${apiKey}` } }];
	console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }));
});
process.once("SIGTERM", async () => {
	server.closeAllConnections();
	await tracing?.stop();
	await close();
	process.exit(0);
});

import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "@reelmill/engine";
import { createNodeListener } from "@reelmill/http";
import { startTracing } from "@reelmill/opentelemetry";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { engineOptions, serverOptions } from "../engine-options.ts";

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
const { database, close } = await openTestDatabase();
const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
const options = engineOptions(database, directory);
const engine = createEngine(options);
await engine.start();
const { api_key } = await engine.domains.create({ slug: "bench" });
const principal = await engine.keys.authenticate(`Bearer ${api_key}`);
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
	const requests = [{ path: `/v1/videos/${video.id}`, headers: { authorization: `Bearer ${api_key}` } }];
	console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }));
});
process.once("SIGTERM", async () => {
	server.closeAllConnections();
	await tracing?.stop();
	await close();
	await rm(directory, { recursive: true, force: true });
	process.exit(0);
});

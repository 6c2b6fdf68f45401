import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "@reelmill/engine";
import { createNodeListener } from "@reelmill/http";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { engineOptions } from "../engine-options.ts";

const { database, close } = await openTestDatabase();
const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
const options = engineOptions(database, directory);
const engine = createEngine(options);
await engine.start();
const { api_key } = await engine.domains.create({ slug: "bench" });
const server = createServer({ requestTimeout: 0 }, createNodeListener(engine)).listen(0, "127.0.0.1", () => {
	console.log(
		JSON.stringify({
			url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
			authorization: `Bearer ${api_key}`,
		}),
	);
});
process.once("SIGTERM", async () => {
	server.closeAllConnections();
	await engine.stop();
	await close();
	await rm(directory, { recursive: true, force: true });
	process.exit();
});

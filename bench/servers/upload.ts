import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createNodeListener } from "@reelmill/http";
import { openEngine } from "./open-engine.ts";

const { engine, apiKey, close } = await openEngine();
const server = createServer({ requestTimeout: 0 }, createNodeListener(engine)).listen(0, "127.0.0.1", () => {
	console.log(
		JSON.stringify({
			url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
			authorization: `Bearer ${apiKey}`,
		}),
	);
});
process.once("SIGTERM", async () => {
	server.closeAllConnections();
	await engine.stop();
	await close();
	process.exit();
});

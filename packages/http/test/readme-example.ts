import { createServer } from "node:http";
import type { Engine } from "@reelmill/engine";
import { createNodeListener } from "@reelmill/http";

/** Serves an engine, all its planes, at http://127.0.0.1:<port>. */
export function serve(engine: Engine, port: number) {
	const baseUrl = `http://127.0.0.1:${port}`;
	const listener = createNodeListener(engine, { baseUrl, logger: console, version: "1.0.0" });
	return createServer({ requestTimeout: 0 }, listener).listen(port);
}

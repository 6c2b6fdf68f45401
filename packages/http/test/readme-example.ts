import { createServer } from "node:http";
import type { Engine } from "@reelmill/engine";
import { createNodeListener, guardServer } from "@reelmill/http";

/** Serves an engine, all its planes, at http://127.0.0.1:<port>. */
export function serve(engine: Engine, port: number) {
	const options = { baseUrl: `http://127.0.0.1:${port}`, logger: console, version: "1.0.0" };
	const server = createServer(createNodeListener(engine, options));
	return guardServer(server, options).listen(port);
}

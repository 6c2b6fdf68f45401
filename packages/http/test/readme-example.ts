import { createServer } from "node:http";
import type { Engine } from "@reelmill/engine";
import { createNodeListener, guardServer } from "@reelmill/http";

/** Serves all planes of an engine on a port. */
export function serve(engine: Engine, port: number) {
	const server = createServer(createNodeListener(engine));
	return guardServer(server, { logger: engine.logger }).listen(port);
}

import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { createCalls } from "./service/calls.ts";
import type { HandledAnswer, HandledRequest, Operations, ThreadOptions } from "./service/messages.ts";
import type { TestService } from "./service/test-service.ts";

/** The service runs here, in a thread of the test's process: neither faked timers nor a busy test hold it up. */
function serve(port: NonNullable<typeof parentPort>): void {
	let service: TestService | null = null;
	const running = (): TestService => {
		if (service === null) throw new Error("The service has not been started.");
		return service;
	};
	const operations: Operations = {
		async start(options: ThreadOptions) {
			const { openMigrated, prepareFolder } = await import("./service/snapshot.ts");
			const cache = (await prepareFolder(options.cacheDirectory)) ? options.cacheDirectory : null;
			// What one test file compiled, the next ones need not compile again: that halves the time of these imports.
			if (cache !== null) enableCompileCache(join(cache, "compiled"));
			const [pglite, { openTestService }] = await Promise.all([
				openMigrated(cache),
				import("./service/test-service.ts"),
			]);
			service = await openTestService(pglite, options, handle);
			return service.started;
		},
		finish: async (id, media) => running().finish(id, media),
		fail: async (id, reason) => running().fail(id, reason),
		advance: async (seconds) => running().advance(seconds),
		settled: async () => running().settled(),
		now: async () => running().now(),
		stop: async () => service?.stop(),
	};
	const { call } = createCalls(port, operations);
	const handle = async (request: HandledRequest) => (await call("handle", request)) as HandledAnswer;
}

if (parentPort !== null) serve(parentPort);

import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "@reelmill/engine";
import { createWebhookTransport } from "@reelmill/outbound";
import { createPostgresDatabase } from "@reelmill/postgres";
import { engineOptions } from "../engine-options.ts";

/**
 * An engine that sends webhooks over the database of `url`. At each SIGUSR2 it cancels the next `count` pending videos
 * of the domain with the key `key`, `milliseconds` apart.
 */
const [url = "", key = "", count = "0", milliseconds = "0"] = process.argv.slice(2);
// A busy machine slows what is measured, but must not break it.
const database = createPostgresDatabase({ url, statementTimeoutMilliseconds: 300_000 });
const directory = join(tmpdir(), `reelmill-bench-dispatcher-${process.pid}`);
const engine = createEngine({
	...engineOptions(database, directory),
	webhookTransport: createWebhookTransport({ allow: ["127.0.0.0/8"] }),
});
await engine.start();
const principal = await engine.keys.authenticate(`Bearer ${key}`);

process.on("SIGUSR2", async () => {
	const pending = await database.query<{ id: string }>({
		text: "select id from reelmill.videos where domain_id = $1 and state = 'pending_upload' order by id limit $2",
		values: [principal.domainId, Number(count)],
	});
	const startedAt = performance.now();
	for (const [index, { id }] of pending.entries()) {
		const wait = startedAt + index * Number(milliseconds) - performance.now();
		if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
		engine.videos.cancel(principal, id).catch(console.error);
	}
});
process.once("SIGTERM", async () => {
	await engine.stop();
	await database.close();
	process.exit(0);
});
console.log("{}");

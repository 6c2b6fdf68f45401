import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "@reelmill/engine";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { engineOptions } from "../engine-options.ts";

/** Starts an engine with a domain on a database and a directory of its own. `close` removes both. */
export async function openEngine() {
	const { database, close } = await openTestDatabase();
	const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
	const options = engineOptions(database, directory);
	const engine = createEngine(options);
	await engine.start();
	const { api_key: apiKey } = await engine.domains.create({ slug: "bench" });
	return {
		engine,
		/** For further engines on the same. */
		options,
		apiKey,
		async close() {
			await close();
			await rm(directory, { recursive: true, force: true });
		},
	};
}

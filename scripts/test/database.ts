import { readMigrations } from "../../packages/engine/src/index.ts";
import { openTestDatabase, startTestServer } from "../../packages/postgres/src/testing/index.ts";
import { inCpuGroup } from "./cpu.ts";

/**
 * Gives the tests one PostgreSQL server in `REELMILL_TEST_DATABASE_URL`: the one that `REELMILL_DATABASE_URL` names,
 * otherwise an embedded one in a folder of its own that is gone afterwards. Each test file makes its own database in
 * it, most as a copy of `REELMILL_TEST_DATABASE_TEMPLATE`, which has the engine's schema: a copy takes a third of the
 * time that the migrations take. Vitest calls this once for each project that names it; the second call finds the first
 * one's server. `REELMILL_DATABASE_URL` itself is taken away, so that a server which a test starts doesn't find it by
 * accident.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
	if (process.env.REELMILL_TEST_DATABASE_URL) return undefined;
	const external = process.env.REELMILL_DATABASE_URL;
	delete process.env.REELMILL_DATABASE_URL;
	const server = external ? null : await inCpuGroup("PostgreSQL", startTestServer);
	const serverUrl = server?.url ?? (external as string);
	const template = await openTemplate(serverUrl);
	process.env.REELMILL_TEST_DATABASE_URL = serverUrl;
	process.env.REELMILL_TEST_DATABASE_TEMPLATE = template.name;
	// How many databases each worker keeps for its next tests.
	if (server) process.env.REELMILL_TEST_DATABASE_SPARE = "2";
	return async () => {
		await template.close();
		await server?.close();
	};
}

/** Makes a database that has the engine's schema, for tests to copy. `close` drops it. */
export async function openTemplate(serverUrl: string): Promise<{ readonly name: string; close(): Promise<void> }> {
	const { database, url, close } = await openTestDatabase({ serverUrl });
	await database.migrate(await readMigrations());
	// Nobody may be connected to a database that is copied.
	await database.close();
	return { name: new URL(url).pathname.slice(1), close };
}

import { startTestServer } from "../../packages/postgres/src/testing.ts";

/**
 * Gives the tests one PostgreSQL server in `REELMILL_TEST_DATABASE_URL`: the one that `REELMILL_DATABASE_URL` names, otherwise an
 * embedded one in a folder of its own that is gone afterwards. Each test file makes its own database in it.
 * Vitest calls this once for each project that names it; the second call finds the first one's server. `REELMILL_DATABASE_URL` itself is taken away, so that a server which a test starts doesn't find it by accident.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
	if (process.env.REELMILL_TEST_DATABASE_URL) return undefined;
	const external = process.env.REELMILL_DATABASE_URL;
	if (external) {
		delete process.env.REELMILL_DATABASE_URL;
		process.env.REELMILL_TEST_DATABASE_URL = external;
		return undefined;
	}
	const server = await startTestServer();
	process.env.REELMILL_TEST_DATABASE_URL = server.url;
	return () => server.close();
}

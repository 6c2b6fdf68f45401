export { startTestCluster, type TestCluster, type TestClusterOptions } from "./cluster.ts";
export {
	openTestDatabase,
	startTestServer,
	type TestDatabase,
	type TestDatabaseOptions,
	type TestServer,
} from "./test-database.ts";

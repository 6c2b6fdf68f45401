import { startTestGateway, type TestServer } from "../../packages/storage-s3/src/testing/index.ts";
import { inCpuGroup } from "./cpu.ts";

type Project = { provide(key: "s3", server: TestServer): void };

declare module "vitest" {
	interface ProvidedContext {
		/** The S3 server of this run. Each test makes buckets of its own in it: `createTestBucket(inject("s3"))`. */
		s3: TestServer;
	}
}

/**
 * Gives the tests one S3 server as `inject("s3")`: the one that `REELMILL_TEST_S3_ENDPOINT`, `_ACCESS_KEY_ID`,
 * `_SECRET_ACCESS_KEY` (and `_REGION`) name, otherwise a Ceph gateway that is gone afterwards. Vitest calls this once
 * for each project that names it; the second call finds the first one's gateway.
 */
export default async function setup(project: Project): Promise<(() => Promise<void>) | undefined> {
	const { REELMILL_TEST_S3_ENDPOINT: endpoint } = process.env;
	if (endpoint) {
		const accessKeyId = required("REELMILL_TEST_S3_ACCESS_KEY_ID");
		const secretAccessKey = required("REELMILL_TEST_S3_SECRET_ACCESS_KEY");
		project.provide("s3", {
			endpoint,
			region: process.env.REELMILL_TEST_S3_REGION || "us-east-1",
			accessKeyId,
			secretAccessKey,
		});
		return undefined;
	}
	const gateway = await inCpuGroup("S3 server", startTestGateway);
	const { server } = gateway;
	project.provide("s3", server);
	Object.assign(process.env, {
		REELMILL_TEST_S3_ENDPOINT: server.endpoint,
		REELMILL_TEST_S3_REGION: server.region,
		REELMILL_TEST_S3_ACCESS_KEY_ID: server.accessKeyId,
		REELMILL_TEST_S3_SECRET_ACCESS_KEY: server.secretAccessKey,
	});
	return () => gateway.close();
}

function required(name: string): string {
	const value = process.env[name];
	if (!value) throw new Error(`REELMILL_TEST_S3_ENDPOINT needs ${name} beside it.`);
	return value;
}

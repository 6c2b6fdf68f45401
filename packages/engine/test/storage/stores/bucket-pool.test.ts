import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bucket } from "@reelmill/engine";
import { createRecordingLogger } from "@reelmill/engine/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BucketPool, createBucketPool } from "../../../src/storage/stores/bucket-pool.ts";
import { createLocalBuckets, type LocalBuckets } from "../../support/local-buckets.ts";

let directory: string;
let buckets: LocalBuckets;
let pool: BucketPool;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-pool-"));
});
afterAll(() => rm(directory, { recursive: true }));
beforeEach(() => {
	buckets = createLocalBuckets(directory);
	pool = createBucketPool({ logger: createRecordingLogger() }, { buckets });
});

const bucket = (key: string) => (): Bucket => ({
	owner: "tenant",
	protocol: "local",
	endpoint: "https://s3.example",
	publicEndpoint: null,
	bucket: "one",
	keyPrefix: "",
	credentials: { id: key, secret: "secret" },
	options: {},
});
const states = () =>
	buckets.opened.map(({ bucket, closed }) => `${bucket.credentials?.id} ${closed ? "closed" : "open"}`);

describe("buckets in use", () => {
	it("are opened once, however many take them", () => {
		for (let taken = 0; taken < 3; taken++) pool.take("a", 1, bucket("first")).release();
		expect(states()).toEqual(["first open"]);
	});

	it("are opened anew for a newer key, and the older one closes when its last user is done", () => {
		const [one, two] = [pool.take("a", 1, bucket("first")), pool.take("a", 1, bucket("first"))];
		pool.take("a", 2, bucket("second")).release();
		one.release();
		one.release();
		expect(states()).toEqual(["first open", "second open"]);
		two.release();
		expect(states()).toEqual(["first closed", "second open"]);
	});

	it("keep the newer key for one who still asks with the older revision", () => {
		pool.take("a", 2, bucket("second")).release();
		pool.take("a", 1, bucket("first")).release();
		expect(states()).toEqual(["second open"]);
	});

	it("are never more than 200 beside those that are being used", async () => {
		const used = pool.take("used", 1, bucket("used"));
		for (let index = 0; index < 250; index++) pool.take(`${index}`, 1, bucket(`key ${index}`)).release();
		expect(states().filter((state) => state.endsWith("open"))).toHaveLength(201);
		used.release();
		expect(states().filter((state) => state.endsWith("open"))).toHaveLength(200);
		await pool.close();
		expect(states().filter((state) => state.endsWith("open"))).toEqual([]);
	});
});

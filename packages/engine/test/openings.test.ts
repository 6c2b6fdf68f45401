import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bucket } from "@reelmill/engine";
import { createRecordingLogger } from "@reelmill/engine/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createOpenings, type Openings } from "../src/storage/openings.ts";
import { createLocalBuckets, type LocalBuckets } from "./support/local-buckets.ts";

let directory: string;
let buckets: LocalBuckets;
let openings: Openings;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-openings-"));
});
afterAll(() => rm(directory, { recursive: true }));
beforeEach(() => {
	buckets = createLocalBuckets(directory);
	openings = createOpenings({ logger: createRecordingLogger() }, { buckets });
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
		for (let taken = 0; taken < 3; taken++) openings.take("a", 1, bucket("first")).release();
		expect(states()).toEqual(["first open"]);
	});

	it("are opened anew for a newer key, and the older one closes when its last user is done", () => {
		const [one, two] = [openings.take("a", 1, bucket("first")), openings.take("a", 1, bucket("first"))];
		openings.take("a", 2, bucket("second")).release();
		one.release();
		one.release();
		expect(states()).toEqual(["first open", "second open"]);
		two.release();
		expect(states()).toEqual(["first closed", "second open"]);
	});

	it("keep the newer key for one who still asks with the older revision", () => {
		openings.take("a", 2, bucket("second")).release();
		openings.take("a", 1, bucket("first")).release();
		expect(states()).toEqual(["second open"]);
	});

	it("are never more than 200 beside those that are being used", async () => {
		const used = openings.take("used", 1, bucket("used"));
		for (let index = 0; index < 250; index++) openings.take(`${index}`, 1, bucket(`key ${index}`)).release();
		expect(states().filter((state) => state.endsWith("open"))).toHaveLength(201);
		used.release();
		expect(states().filter((state) => state.endsWith("open"))).toHaveLength(200);
		await openings.close();
		expect(states().filter((state) => state.endsWith("open"))).toEqual([]);
	});
});

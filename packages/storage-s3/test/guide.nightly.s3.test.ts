import { readFile } from "node:fs/promises";
import {
	GetBucketLifecycleConfigurationCommand,
	PutBucketLifecycleConfigurationCommand,
	PutBucketPolicyCommand,
} from "@aws-sdk/client-s3";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket, startTestGateway, type TestBucket, type TestGateway } from "@reelmill/storage-s3/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BucketClient, createBucketClient } from "../src/client/bucket-client.ts";
import { chunks, collect, random } from "./support/bytes.ts";
import { patience } from "./support/patience.ts";

type Policy = { readonly Statement: readonly { readonly Action: readonly string[]; readonly Resource: string }[] };

const guide = await readFile(new URL("../../../docs/guides/storage.md", import.meta.url), "utf8");
const blocks = [...guide.matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = ""]) => JSON.parse(json));
/** The policy of the service's access key, and that of callers without a key. */
const [policy, publicPolicy] = blocks.filter(({ Statement }) => Statement) as [Policy, Policy];
const permissions = policy.Statement.flatMap(({ Action }) => Action);
const lifecycle = blocks.find(({ Rules }) => Rules);

const limited = { accessKeyId: "limited", secretAccessKey: "secret-of-the-limited-user" };
let gateway: TestGateway;
let test: TestBucket;
let client: BucketClient;
beforeAll(async () => {
	gateway = await startTestGateway();
	const { accessKeyId, secretAccessKey } = limited;
	await gateway.admin(
		"user",
		"create",
		"--uid=limited",
		"--display-name=limited",
		`--access-key=${accessKeyId}`,
		`--secret-key=${secretAccessKey}`,
	);
});
afterAll(() => gateway.close());
beforeEach(async () => {
	test = await createTestBucket(gateway.server);
	client = createBucketClient(test.bucket, { rules: { allows: () => true }, ...patience });
});
afterEach(() => client.close());

/** Makes every request that a domain's videos make to a bucket. */
async function live(): Promise<void> {
	const bucket = createBucketOpener({ allow: [], attempts: 1, ...patience }).open({
		...test.bucket,
		credentials: { id: limited.accessKeyId, secret: limited.secretAccessKey },
		keyPrefix: "videos",
	});
	const { outputs, uploads, fetchPresigned } = bucket;
	try {
		const bytes = random(9_000_000);
		await outputs.put("a/small", chunks(bytes.subarray(0, 100)));
		await outputs.put("a/large", chunks(bytes));
		expect(await outputs.head("a/none")).toBe(null);
		expect((await collect((await outputs.get("a/large"))?.bytes)).equals(bytes)).toBe(true);
		expect(await fetchPresigned(await outputs.presign("a/small", { method: "GET", seconds: 60 }))).toHaveLength(100);
		expect(await outputs.copy?.("a/large", "public/large")).toMatchObject({ size: bytes.length });
		await outputs.deletePrefix("public/");
		expect(await Array.fromAsync(outputs.list("a/"))).toHaveLength(2);
		await outputs.deletePrefix("a/");

		const [whole, part] = [crypto.randomUUID(), crypto.randomUUID()];
		for (const id of [whole, part]) {
			await uploads.create(id);
			await uploads.append(id, 0, chunks(bytes.subarray(0, 6_000_000)), { limit: bytes.length });
			expect(await uploads.size(id)).toBe(6_000_000);
		}
		await uploads.append(whole, 6_000_000, chunks(bytes.subarray(6_000_000)), { limit: bytes.length });
		expect((await collect((await uploads.read(whole))?.bytes)).equals(bytes)).toBe(true);
		expect(await Array.fromAsync(uploads.list())).toHaveLength(2);
		for (const id of [whole, part]) await uploads.discard(id);
		expect([await test.keys(), await test.unfinished()]).toEqual([[], []]);
	} finally {
		await bucket.close();
	}
}

/**
 * Lets the limited user do what the guide's policy allows, except `missing`. A gateway may let an object's owner do
 * that unless it is denied.
 */
async function allow(missing?: string): Promise<void> {
	const Principal = { AWS: ["arn:aws:iam:::user/limited"] };
	const allowed = policy.Statement.map(({ Resource, ...statement }) => ({
		...statement,
		Principal,
		Resource: inBucket(Resource),
	}));
	const denied = missing
		? allowed.map(({ Resource }) => ({ Effect: "Deny", Principal, Action: [missing], Resource }))
		: [];
	const Policy = JSON.stringify({ ...policy, Statement: [...allowed, ...denied] });
	await client.send(new PutBucketPolicyCommand({ Bucket: test.bucket.bucket, Policy }));
}
const inBucket = (resource: string): string => resource.replace("acme-videos", test.bucket.bucket);

describe("the guide's permissions", () => {
	it("are all that videos need", async () => {
		await allow();
		await live();
	});

	it.each(permissions)("are all needed: %s", async (missing) => {
		await allow(missing);
		await expect(live()).rejects.toMatchObject({ name: "StorageError", fault: "credentials" });
	});
});

it("has a rule against unfinished uploads in the guide that a server takes, and that harms no video", async () => {
	const Bucket = test.bucket.bucket;
	await client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: lifecycle }));
	const { Rules } = await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
	expect(Rules).toMatchObject([{ Status: "Enabled", AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } }]);
	expect(Rules?.[0]).not.toHaveProperty("Expiration");
});

it("has a policy in the guide that lets anyone read public/ below the prefix, and nothing else", async () => {
	const Policy = JSON.stringify(publicPolicy).replaceAll("acme-videos", test.bucket.bucket);
	await client.send(new PutBucketPolicyCommand({ Bucket: test.bucket.bucket, Policy }));
	const bucket = createBucketOpener({ allow: [], attempts: 1, ...patience }).open({
		...test.bucket,
		keyPrefix: "videos",
	});
	const upload = crypto.randomUUID();
	for (const key of ["public/v/p/web.mp4", "d/v/l/web.mp4", "probe/object"])
		await bucket.outputs.put(key, chunks(random(10)));
	await bucket.uploads.create(upload);
	await bucket.uploads.append(upload, 0, chunks(random(10)), { limit: 10 });
	const statusOf = async (path: string) =>
		(await fetch(`${gateway.server.endpoint}/${test.bucket.bucket}/${path}`)).status;
	expect(await statusOf("videos/public/v/p/web.mp4")).toBe(200);
	for (const closed of [
		"videos/d/v/l/web.mp4",
		"videos/probe/object",
		upload,
		`${upload}.info`,
		"",
		"?list-type=2&prefix=videos/public/",
	]) {
		expect([closed, await statusOf(closed)]).toEqual([closed, 403]);
	}
	await bucket.close();
});

import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket, type TestBucket } from "@reelmill/storage-s3/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { openService, type Service } from "../../../http/test/support/open-service.ts";
import { inProcess } from "../support/reelmill.ts";

const server = inject("s3");
const port = new URL(server.endpoint).port;
const location = { id: "eu", name: "Europe", region: "us-east-1" };
let service: Service;
let bucket: TestBucket;
let environment: Record<string, string>;
beforeAll(async () => {
	// A name with a dot, so that it can have a bucket's name before it; the DNS knows no such name.
	const lookup = async (name: string) => (name === "s3.example.test" ? ["127.0.0.1"] : []);
	bucket = await createTestBucket(server);
	const publicBaseUrl = `${server.endpoint}/${bucket.bucket.bucket}`;
	service = await openService({}, () => ({
		buckets: createBucketOpener({ allow: ["127.0.0.0/8"], attempts: 2, lookup }),
		storageLocations: [
			{ ...location, bucket: { ...bucket.bucket, owner: "platform", keyPrefix: "videos" }, publicBaseUrl },
		],
	}));
});
afterAll(async () => {
	await bucket.remove();
	await service.close();
});
beforeEach(async () => {
	const { apiKey } = await service.tenant();
	environment = {
		REELMILL_URL: service.url,
		REELMILL_API_KEY: apiKey,
		REELMILL_STORAGE_SECRET: server.secretAccessKey,
	};
});

const profile = (...more: string[]) => {
	const given = new Map(
		[
			"backend=s3_tenant",
			`endpoint=${server.endpoint}`,
			"region=us-east-1",
			`bucket=${bucket.bucket.bucket}`,
			`access_key_id=${server.accessKeyId}`,
			...more,
		].map((field) => [field.split("=")[0], field]),
	);
	return [...given.values()];
};
const storage = (...args: string[]) => inProcess(environment, "storage", ...args);

describe("storage doctor", () => {
	it("finds nothing wrong with a bucket that does all, given or in force", async () => {
		const healthy = ["connect", "write", "read", "presign", "delete"].length;
		const given = await storage("doctor", ...profile());
		expect(given).toMatchObject({ code: 0, stderr: "" });
		expect(given.stdout.match(/^ok /gm)).toHaveLength(healthy);
		expect((await storage("set", ...profile("key_prefix=videos"))).code).toBe(0);
		expect(JSON.parse((await storage("doctor", "--json")).stdout)).toEqual({
			healthy: true,
			steps: ["write", "read", "presign", "delete"],
			notes: [],
		});
	});

	it.each<[string, string[], string, RegExp]>([
		["a wrong secret", ["secret_access_key=not-this-one"], "write", /^secret_access_key: it isn't the one/],
		[
			"an unknown key",
			["access_key_id=NOBODY"],
			"write",
			/^access_key_id: the server at 127\.0\.0\.1:\d+ doesn't know it/,
		],
		[
			"a bucket that isn't there",
			["bucket=reelmill-nowhere"],
			"write",
			/^bucket: 127\.0\.0\.1:\d+ has no reelmill-nowhere/,
		],
		[
			"a port where nothing listens",
			["endpoint=http://s3.example.test:9"],
			"connect",
			/^endpoint: no server listens at s3\.example\.test:9/,
		],
		[
			"a name that the DNS doesn't have",
			["endpoint=http://s3.exmaple.test"],
			"connect",
			/^endpoint: s3\.exmaple\.test isn't in the DNS/,
		],
		[
			"a private address",
			["endpoint=http://10.0.0.1"],
			"connect",
			/^endpoint: 10\.0\.0\.1 is at a private .*REELMILL_STORAGE_ALLOW_CIDRS/,
		],
		[
			"TLS where there is none",
			[`endpoint=https://s3.example.test:${port}`],
			"connect",
			/^endpoint: the certificate at .* doesn't speak TLS/,
		],
		[
			"no path style",
			[`endpoint=http://s3.example.test:${port}`, "force_path_style=false"],
			"connect",
			/^force_path_style: without it the service asks test-[0-9a-f]+\.s3\.example\.test/,
		],
	])("says in words what mends %s", async (_, wrong, step, advice) => {
		const { code, stdout, stderr } = await storage("doctor", ...profile(...wrong), "--json");
		expect({ code, error: JSON.parse(stderr).error }).toEqual({ code: 1, error: "storage_verification_failed" });
		const told = JSON.parse(stdout);
		expect(told).toMatchObject({ healthy: false, step });
		expect(told.advice[0]).toMatch(advice);
		expect(stdout + stderr).not.toContain(server.secretAccessKey);
	});

	it.each([
		[
			"write",
			"s3:PutObject",
			/^permissions: allow s3:PutObject and s3:AbortMultipartUpload on test-\S+\/\* \(not on test-\S+\/videos\/\* alone/,
		],
		["read", "s3:GetObject", /^permissions: allow s3:GetObject/],
		["delete", "s3:DeleteObject", /^permissions: allow s3:DeleteObject .*s3:ListBucket/],
		["delete", "s3:ListBucket", /^permissions: allow s3:DeleteObject .*s3:ListBucket/],
	])("names the permission that is missing to %s: %s", async (step, action, advice) => {
		await bucket.forbid(action);
		const { stdout } = await storage("doctor", ...profile("key_prefix=videos"), "--json");
		await bucket.forbid();
		expect(JSON.parse(stdout)).toMatchObject({ healthy: false, step });
		expect(JSON.parse(stdout).advice[0]).toMatch(advice);
	});

	it("examines the profile in force, and draws how far it came", async () => {
		await storage("set", ...profile());
		const before = await bucket.keys();
		await bucket.forbid("s3:GetObject");
		const { code, stdout, stderr } = await storage("doctor");
		await bucket.forbid();
		expect(code).toBe(1);
		expect(stdout).toMatch(
			/^ok {6}reach the server\nok {6}write an object and an upload\nFAILED {2}read them back\nThe storage failed to read back/,
		);
		expect(stderr).toContain("(storage_verification_failed)");
		expect(await bucket.keys()).toEqual(before);
	});

	const get = "s3:GetObject";
	it.each<[string, { action: string; on: string }[], string[]]>([
		["nothing", [], ["public_unreadable"]],
		["public/ alone, as the guide says", [{ action: get, on: "videos/public/*" }], []],
		["the whole key prefix, as it was before", [{ action: get, on: "videos/*" }], ["outputs_readable"]],
		["everything", [{ action: get, on: "*" }], ["outputs_readable", "uploads_readable"]],
		[
			"the list of keys",
			[
				{ action: get, on: "videos/public/*" },
				{ action: "s3:ListBucket", on: "" },
			],
			["keys_listable"],
		],
	])("asks without a key what a bucket gives away that is open to anyone for %s", async (_, rights, warnings) => {
		const before = await bucket.keys();
		await bucket.letAnyone(...rights);
		const { code, stdout, stderr } = await storage("doctor", "backend=s3_platform", "location_id=eu", "--json");
		await bucket.letAnyone();
		const told = JSON.parse(stdout);
		expect([code, told.healthy, told.warnings ?? []]).toEqual([
			warnings.length > 0 ? 1 : 0,
			warnings.length === 0,
			warnings,
		]);
		expect(told.advice ?? []).toHaveLength(warnings.length);
		if (warnings.length > 0) expect(JSON.parse(stderr).error).toBe(warnings[0]);
		expect(await bucket.keys()).toEqual(before);
	});

	it("says what to close in an open bucket, and how far the copying of public videos has come", async () => {
		expect((await storage("set", ...profile("key_prefix=/videos/"))).code).toBe(0);
		await bucket.letAnyone({ action: get, on: "*" });
		const open = await storage("doctor");
		await bucket.letAnyone();
		expect(open.code).toBe(1);
		expect(open.stdout).toContain(`on ${bucket.bucket.bucket}/videos/public/* alone.`);
		expect(open.stdout).toMatch(/^not private: anyone may read raw uploads/m);
		expect((await storage("set", "backend=s3_platform", "location_id=eu")).code).toBe(0);
		await bucket.letAnyone({ action: get, on: "videos/public/*" });
		expect((await storage("doctor")).stdout).toContain("every public video is in public/");
		await bucket.letAnyone();
	});
});

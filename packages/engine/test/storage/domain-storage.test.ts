import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StorageProfile } from "@reelmill/contracts";
import { createEngine, type PlatformLocation } from "@reelmill/engine";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createLocalBuckets, type LocalBuckets } from "../support/local-buckets.ts";
import { type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

const secret = "secret-of-the-tenant";
const key = { access_key_id: "AKIDTENANT", secret_access_key: secret };
const keys = { [key.access_key_id]: secret };
const place = { backend: "s3_tenant", endpoint: "https://s3.example", region: "eu-1", bucket: "one" } as const;
const mine: StorageProfile = { ...place, ...key };
const location: PlatformLocation = {
	id: "eu",
	name: "Europe",
	region: "eu-central",
	bucket: {
		owner: "platform",
		endpoint: "https://platform.example",
		publicEndpoint: null,
		protocol: "local",
		bucket: "platform",
		keyPrefix: "",
		credentials: { id: "OPERATOR", secret: "secret-of-the-operator" },
		options: { rack: "a", replicas: 3 },
	},
};

let opened: OpenedEngine;
let buckets: LocalBuckets;
let directory: string;
let domainId: string;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-buckets-"));
	buckets = createLocalBuckets(directory);
	opened = await openEngine({ buckets, storageLocations: [location] });
	for (const name of ["one", "two", "three"]) await buckets.make(name, keys);
	await buckets.make("platform", { OPERATOR: "secret-of-the-operator" });
});
beforeEach(async () => {
	domainId = (await opened.tenant()).domain.id;
	buckets.reachable = true;
	buckets.forbidden = () => false;
	buckets.capabilities = { presign: true, download: true };
});
afterAll(async () => {
	await opened.close();
	await rm(directory, { recursive: true });
});

const storage = () => opened.engine.storage;
const refusal = (field: string) => ({
	code: "validation_error",
	message: expect.stringMatching(new RegExp(`^${field}: `)),
});
const leftIn = async (bucket: string): Promise<string[]> => [
	...(await buckets.keysIn(bucket)),
	...(await buckets.uploadsIn(bucket)),
];

describe("the local disk", () => {
	it("is where a domain stores until it chooses, and after it is chosen", async () => {
		expect(await storage().get(domainId)).toMatchObject({
			backend: "local",
			version: 1,
			endpoint: null,
			access_key_id_last4: null,
			last_verified_at: null,
		});
		expect(await storage().put(domainId, { backend: "local" })).toEqual(await storage().get(domainId));
		expect(await storage().delete(domainId)).toEqual(await storage().get(domainId));
	});

	it("is verified by a round trip that leaves nothing", async () => {
		const verified = {
			verified_at: new Date(opened.clock.now()).toISOString(),
			steps: ["write", "read", "delete"],
			checks: ["connect", "write", "read", "delete"].map((step) => ({ step, state: "passed", duration_ms: 0 })),
			warnings: [],
			advice: [],
		};
		expect(await storage().verify(domainId, { backend: "local" })).toEqual(verified);
		for await (const { key } of opened.outputs.list("probe/")) throw new Error(`${key} is left`);
		for await (const { id } of opened.uploads.list()) throw new Error(`${id} is left`);
	});

	it("that fails is named by its step, without words that might name a path", async () => {
		const refuse = async () => Promise.reject(new Error("/secret/path: the disk is full"));
		const engine = createEngine({ ...opened.options, outputs: { ...opened.outputs, put: refuse } });
		await expect(engine.storage.put(domainId, { backend: "local" })).rejects.toMatchObject({
			code: "storage_verification_failed",
			extras: { step: "write" },
			message: "The storage failed to write a probe object.",
		});
	});

	it("is all there is where no buckets are opened", async () => {
		const engine = createEngine({ ...opened.options, buckets: undefined } as never);
		await expect(engine.storage.put(domainId, mine)).rejects.toMatchObject(refusal("backend"));
		await expect(engine.storage.verify(domainId, { backend: "s3_platform", location_id: "eu" })).rejects.toMatchObject(
			refusal("backend"),
		);
	});
});

describe("the fields of a profile", () => {
	const cases: [string, StorageProfile, string][] = [
		["bucket beside local", { backend: "local", bucket: "one" }, "bucket"],
		["a key beside local", { backend: "local", ...key }, "access_key_id"],
		["location_id beside s3_tenant", { ...mine, location_id: "eu" }, "location_id"],
		["bucket beside s3_platform", { backend: "s3_platform", location_id: "eu", bucket: "one" }, "bucket"],
		[
			"public_base_url beside s3_platform",
			{ backend: "s3_platform", location_id: "eu", public_base_url: "https://cdn.example" },
			"public_base_url",
		],
		["no location_id", { backend: "s3_platform" }, "location_id"],
		["an unknown location_id", { backend: "s3_platform", location_id: "mars" }, "location_id"],
		["no bucket", { backend: "s3_tenant", region: "eu-1", ...key }, "bucket"],
		["neither endpoint nor region", { backend: "s3_tenant", bucket: "one", ...key }, "region"],
		["no key for a bucket that the domain never had", place, "access_key_id"],
		["a secret without its id", { ...place, secret_access_key: secret }, "access_key_id"],
		["an id without its secret", { ...place, access_key_id: "AKID" }, "secret_access_key"],
		["credentials in the endpoint", { ...mine, endpoint: "https://user:pass@s3.example" }, "endpoint"],
		["a query in the endpoint", { ...mine, endpoint: "https://s3.example/?x=1" }, "endpoint"],
		["an endpoint that is no address", { ...mine, endpoint: "https://" }, "endpoint"],
		["a bucket that leaves its place", { ...mine, bucket: "../other" }, "bucket"],
		["a prefix that leaves its place", { ...mine, key_prefix: "a/../b" }, "key_prefix"],
		["credentials in the public address", { ...mine, public_base_url: "https://u:p@cdn.example" }, "public_base_url"],
	];
	it.each(cases)("are refused by name, before anything is asked: %s", async (_, profile, field) => {
		const before = buckets.operations.length;
		await expect(storage().put(domainId, profile)).rejects.toMatchObject(refusal(field));
		await expect(storage().verify(domainId, profile)).rejects.toMatchObject(refusal(field));
		expect(buckets.operations).toHaveLength(before);
	});

	it("that may be left out get what most servers take", async () => {
		const view = await storage().put(domainId, {
			backend: "s3_tenant",
			endpoint: "https://s3.example/",
			bucket: "one",
			...key,
		});
		expect(view).toMatchObject({
			endpoint: "https://s3.example",
			region: null,
			force_path_style: true,
			key_prefix: null,
			public_base_url: null,
		});
		const aws = await storage().put(domainId, { backend: "s3_tenant", region: "eu-west-1", bucket: "one", ...key });
		expect(aws).toMatchObject({ endpoint: null, region: "eu-west-1", force_path_style: false });
	});
});

describe("a tenant's bucket", () => {
	it("is proved by outputs and uploads that are written, read, fetched by address and deleted, under its prefix", async () => {
		const before = buckets.operations.length;
		const verified = await storage().verify(domainId, { ...mine, key_prefix: "videos" });
		expect(verified).toEqual({
			verified_at: new Date(opened.clock.now()).toISOString(),
			steps: ["write", "read", "presign", "delete"],
			checks: ["connect", "write", "read", "presign", "delete"].map((step) => ({
				step,
				state: "passed",
				duration_ms: 0,
			})),
			warnings: [],
			advice: [],
		});
		const done = buckets.operations.slice(before);
		expect(done.map(({ operation }) => operation)).toEqual(
			expect.arrayContaining(["put", "append", "get", "read", "fetch", "deletePrefix", "discard"]),
		);
		expect(done.filter(({ operation, key }) => operation === "fetch" && /^videos\/probe\//.test(key))).toHaveLength(1);
		expect(await leftIn("one")).toEqual([]);
		expect(buckets.opened.at(-1)?.closed).toBe(true);
		expect(await storage().get(domainId)).toMatchObject({ backend: "local" });
	});

	it("is shown without its secret once it is saved", async () => {
		const view = await storage().put(domainId, {
			...mine,
			key_prefix: "videos/",
			public_base_url: "https://cdn.example",
		});
		expect(view).toEqual({
			...place,
			location_id: null,
			key_prefix: "videos/",
			force_path_style: true,
			access_key_id_last4: "NANT",
			public_base_url: "https://cdn.example",
			version: 2,
			last_error: null,
			last_verified_at: new Date(opened.clock.now()).toISOString(),
			publications_waiting: 0,
		});
		expect(await storage().get(domainId)).toEqual(view);
		const rows = await opened.database.query({ text: "select * from reelmill.storage_profiles", values: [] });
		expect(JSON.stringify(rows)).not.toContain(secret);
	});

	it.each<[string, () => void, string, RegExp]>([
		["connect", () => (buckets.reachable = false), "connect", /can't be reached: Connection refused/],
		["write", () => (buckets.forbidden = (operation) => operation === "put"), "write", /Not allowed: put/],
		[
			"write an upload at its root",
			() => (buckets.forbidden = (operation) => operation === "append"),
			"write",
			/Not allowed: append/,
		],
		["read", () => (buckets.forbidden = (operation) => operation === "get"), "read", /Not allowed: get/],
		[
			"answer a presigned address",
			() => (buckets.forbidden = (operation) => operation === "fetch"),
			"presign",
			/Not allowed: fetch/,
		],
		[
			"list and delete",
			() => (buckets.forbidden = (operation) => operation === "deletePrefix"),
			"delete",
			/Not allowed: deletePrefix/,
		],
	])(
		"that fails to %s is refused with the step; nothing is changed, and nothing is left",
		async (_, spoil, step, message) => {
			const before = await storage().put(domainId, { ...mine, bucket: "two" });
			spoil();
			const failure = {
				code: "storage_verification_failed",
				extras: { step },
				message: expect.stringMatching(message),
			};
			await expect(storage().put(domainId, mine)).rejects.toMatchObject(failure);
			await expect(storage().verify(domainId, mine)).rejects.toMatchObject(failure);
			expect(await storage().get(domainId)).toEqual(before);
			expect(await leftIn("one")).toEqual([]);
		},
	);

	it("that fails tells how each step went, the provider's own word, and what to do", async () => {
		buckets.forbidden = (operation) => operation === "get";
		const extras = await storage()
			.verify(domainId, mine)
			.catch((error: { extras: object }) => error.extras);
		expect(extras).toMatchObject({
			step: "read",
			checks: [
				{ step: "connect", state: "passed" },
				{ step: "write", state: "passed" },
				{ step: "read", state: "failed" },
				{ step: "presign", state: "not_reached", duration_ms: 0 },
				{ step: "delete", state: "not_reached", duration_ms: 0 },
			],
			provider_said: null,
			advice: [expect.stringContaining("another S3 client")],
		});
		buckets.reachable = false;
		await expect(storage().put(domainId, mine)).rejects.toMatchObject({
			extras: { checks: [{ step: "connect", state: "failed" }, ...Array(4).fill({ state: "not_reached" })] },
		});
	});

	it("that isn't there, or refuses the key, is refused", async () => {
		await expect(storage().put(domainId, { ...mine, bucket: "nowhere" })).rejects.toMatchObject({
			code: "storage_verification_failed",
			extras: { step: "write" },
		});
		const wrong = storage().put(domainId, { ...mine, secret_access_key: "wrong-secret" });
		await expect(wrong).rejects.toMatchObject({ code: "storage_verification_failed", extras: { step: "write" } });
		await wrong.catch((error: Error) => expect(`${error.message} ${error.stack}`).not.toContain("wrong-secret"));
	});

	it("that falls silent is given up after half a minute", async () => {
		const { promise: asked, resolve } = Promise.withResolvers<void>();
		const put = () => {
			resolve();
			return never();
		};
		const outputs = { ...stuck, put };
		const silent = {
			...buckets,
			open: (bucket: Parameters<LocalBuckets["open"]>[0]) => ({ ...buckets.open(bucket), uploads: stuck, outputs }),
		};
		const engine = createEngine({ ...opened.options, buckets: silent as never });
		const verifying = engine.storage.verify(domainId, mine).catch((error: unknown) => error);
		await asked;
		await opened.clock.advance(30_000);
		expect(await verifying).toMatchObject({ code: "storage_verification_failed", extras: { step: "connect" } });
	});

	it("that makes no presigned addresses is proved without that step", async () => {
		buckets.capabilities = { presign: false, download: true };
		expect((await storage().verify(domainId, mine)).steps).toEqual(["write", "read", "delete"]);
	});
});

const never = () => new Promise<never>(() => undefined);
const stuck = {
	capabilities: { presign: true, download: true },
	put: never,
	delete: never,
	discard: never,
	create: never,
};

describe("the places of a domain's videos", () => {
	it("say what lies where, the current one first, and are counted anew after a choice", async () => {
		const tenant = await opened.tenant();
		const { principal } = tenant;
		const id = tenant.domain.id;
		const places = async () => (await storage().places(id)).data;
		expect(await places()).toEqual([
			expect.objectContaining({ id: null, backend: "local", is_current: true, videos: 0, bytes: 0, created_at: null }),
		]);
		const here = await uploadVideo(opened, principal);
		await storage().put(id, { ...mine, key_prefix: "p" });
		const there = [await uploadVideo(opened, principal), await uploadVideo(opened, principal)];
		await opened.engine.videos.create(principal, { content_type: "video/mp4", file_size: 7 });
		await opened.clock.advance(30_000);
		const size = here.video.file_size;
		expect(await places()).toMatchObject([
			{ backend: "s3_tenant", bucket: "one", key_prefix: "p", is_current: true, videos: 2, bytes: 2 * size },
			{ id: null, backend: "local", is_current: false, videos: 1, bytes: size },
		]);
		expect(JSON.stringify(await places())).not.toContain(secret);
		await storage().delete(id);
		await opened.engine.videos.delete(principal, there[0]?.video.id ?? "");
		expect(await places()).toMatchObject([
			{ id: null, is_current: true, videos: 1, bytes: size },
			{ bucket: "one", is_current: false, videos: 1, bytes: size, last_error: null },
		]);
		expect((await storage().places(domainId)).data).toHaveLength(1);
	});
});

describe("the version", () => {
	it("rises with bucket, endpoint and region, and not with key, prefix, path style or public address", async () => {
		const put = async (changes: Partial<StorageProfile>) =>
			(await storage().put(domainId, { ...mine, ...changes })).version;
		expect(await put({})).toBe(2);
		for (const same of [
			{},
			{ key_prefix: "p" },
			{ force_path_style: false },
			{ public_base_url: "https://cdn.example" },
		])
			expect(await put(same)).toBe(2);
		expect(await put({ bucket: "two" })).toBe(3);
		expect(await put({ endpoint: "https://other.example" })).toBe(4);
		expect(await put({ region: "eu-2" })).toBe(5);
		expect((await storage().delete(domainId)).version).toBe(6);
		expect((await storage().delete(domainId)).version).toBe(6);
		expect(await put({})).toBe(7);
	});

	it("counts each of many choices at once, and one of them is in force", async () => {
		const views = await Promise.all(
			["one", "two", "three"].map((bucket) => storage().put(domainId, { ...mine, bucket })),
		);
		expect((await storage().get(domainId)).version).toBe(4);
		expect(views.map(({ bucket }) => bucket)).toContain((await storage().get(domainId)).bucket);
	});
});

describe("a key", () => {
	it("may be left out for a bucket that the domain has or had, also to try it", async () => {
		await storage().put(domainId, mine);
		expect(await storage().put(domainId, { ...place, public_base_url: "https://cdn.example" })).toMatchObject({
			access_key_id_last4: "NANT",
			public_base_url: "https://cdn.example",
			version: 2,
		});
		await storage().delete(domainId);
		expect((await storage().verify(domainId, place)).steps).toContain("write");
		expect(await storage().put(domainId, { ...place, key_prefix: "other" })).toMatchObject({
			access_key_id_last4: "NANT",
		});
	});

	it("of one domain is of no use to another", async () => {
		await storage().put(domainId, mine);
		const other = (await opened.tenant()).domain.id;
		await expect(storage().verify(other, place)).rejects.toMatchObject(refusal("access_key_id"));
	});
});

describe("the opener of buckets", () => {
	it("is given a tenant's bucket in the words of S3's adapter, and its profile's secret", async () => {
		await storage().put(domainId, { ...mine, key_prefix: "/a/", force_path_style: true });
		expect(buckets.opened.at(-1)?.bucket).toEqual({
			owner: "tenant",
			protocol: "s3",
			endpoint: "https://s3.example",
			publicEndpoint: null,
			bucket: "one",
			keyPrefix: "a",
			credentials: { id: key.access_key_id, secret },
			options: { region: "eu-1", forcePathStyle: true },
		});
	});

	it("is given a location of any protocol as the operator wrote it, options included", async () => {
		await storage().put(domainId, { backend: "s3_platform", location_id: "eu" });
		expect(buckets.opened.at(-1)?.bucket).toEqual(location.bucket);
	});
});

describe("a platform's location", () => {
	it("is listed, chosen and shown without what is the operator's", async () => {
		expect(await storage().locations()).toEqual({ data: [{ id: "eu", name: "Europe", region: "eu-central" }] });
		const view = await storage().put(domainId, { backend: "s3_platform", location_id: "eu" });
		expect(view).toMatchObject({
			backend: "s3_platform",
			location_id: "eu",
			region: "eu-central",
			bucket: null,
			endpoint: null,
			access_key_id_last4: null,
			version: 2,
		});
		expect(await storage().locationsForOperator()).toEqual({
			data: [
				{
					id: "eu",
					name: "Europe",
					region: "eu-central",
					endpoint: "https://platform.example",
					bucket: "platform",
					public_base_url: null,
					last_error: null,
					last_verified_at: new Date(opened.clock.now()).toISOString(),
				},
			],
		});
	});

	it("is opened once for all domains that store there, and tells its operator what the domains meet", async () => {
		const principals = [(await opened.tenant()).principal, (await opened.tenant()).principal];
		for (const { domainId } of principals) await storage().put(domainId, { backend: "s3_platform", location_id: "eu" });
		const before = buckets.opened.length;
		const videos: { id: string }[] = [];
		for (const principal of principals) videos.push((await uploadVideo(opened, principal)).video);
		expect(buckets.opened.length - before).toBeLessThanOrEqual(1);
		expect(await buckets.uploadsIn("platform")).toEqual(expect.arrayContaining(videos.map(({ id }) => id)));

		await opened.clock.advance(61_000);
		buckets.forbidden = (operation) => operation === "size";
		await expect(opened.engine.jobs.source(videos[0]?.id ?? "")).rejects.toMatchObject({ code: "storage_unavailable" });
		expect((await storage().locationsForOperator()).data[0]?.last_error).toBe("Not allowed: size.");
		expect((await storage().get(principals[0]?.domainId ?? "")).last_error).toBe(
			"The storage location eu is out of order.",
		);
		expect((await storage().get(principals[1]?.domainId ?? "")).last_error).toBe(null);
	});

	it("that fails is nobody's fault but the platform's: storage_unavailable, and the reason is in the log", async () => {
		buckets.forbidden = (operation) => operation === "put";
		const failing = storage().put(domainId, { backend: "s3_platform", location_id: "eu" });
		await expect(failing).rejects.toMatchObject({
			code: "storage_unavailable",
			message: "The storage location eu is out of order.",
		});
		expect(opened.logger.entries.at(-1)).toMatchObject({
			level: "warn",
			fields: { locationId: "eu", step: "write", reason: expect.stringContaining("Not allowed") },
		});
		expect(await storage().get(domainId)).toMatchObject({ backend: "local" });
	});
});

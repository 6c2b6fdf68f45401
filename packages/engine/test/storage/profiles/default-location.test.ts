import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type PlatformLocation } from "@reelmill/engine";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLocalBuckets, type LocalBuckets } from "../../support/local-buckets.ts";
import { type OpenedEngine, openEngine, uploadVideo } from "../../support/open-engine.ts";

const location: PlatformLocation = {
	id: "eu",
	name: "Europe",
	region: "eu-central",
	bucket: {
		owner: "platform",
		endpoint: null,
		publicEndpoint: null,
		protocol: "local",
		bucket: "platform",
		keyPrefix: "",
		credentials: { id: "OPERATOR", secret: "secret" },
		options: {},
	},
};
let opened: OpenedEngine;
let buckets: LocalBuckets;
let directory: string;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-default-"));
	buckets = createLocalBuckets(directory);
	await buckets.make("platform", { OPERATOR: "secret" });
	opened = await openEngine({ buckets, storageLocations: [location], storageDefault: "eu" });
});
afterAll(async () => {
	await opened.close();
	await rm(directory, { recursive: true });
});

it("a new domain stores in the default location: its uploads are there, and nothing is on the local disk", async () => {
	const { domain, principal } = await opened.tenant();
	expect(await opened.engine.storage.get(domain.id)).toMatchObject({
		backend: "s3_platform",
		location_id: "eu",
		version: 1,
	});
	const { video } = await uploadVideo(opened, principal);
	expect(await buckets.uploadsIn("platform")).toEqual([video.id]);
	expect(await Array.fromAsync(opened.uploads.list())).toEqual([]);
});

it("the sandbox stores in the default location, on whichever of several servers it is made", async () => {
	const engines = Array.from({ length: 3 }, () => createEngine(opened.options));
	await Promise.all(engines.map((engine) => engine.start()));
	const { api_key } = await opened.engine.sandbox.createSession();
	const { domainId } = await opened.engine.keys.authenticate(`Bearer ${api_key}`);
	expect(await opened.engine.storage.get(domainId)).toMatchObject({ location_id: "eu" });
	const [profiles] = await opened.database.query({
		text: "select count(*) as many from reelmill.storage_profiles where domain_id = $1",
		values: [domainId],
	});
	expect(profiles).toEqual({ many: 1 });
	await Promise.all(engines.map((engine) => engine.stop()));
});

it("a domain may choose another storage, and domains that were there before the default stay where they are", async () => {
	const { storageDefault, ...options } = opened.options;
	expect(storageDefault).toBe("eu");
	const before = createEngine(options);
	const { domain: old } = await before.domains.create({ slug: "old" });
	expect(await opened.engine.storage.get(old.id)).toMatchObject({ backend: "local" });
	const { domain } = await opened.tenant();
	expect(await opened.engine.storage.delete(domain.id)).toMatchObject({ backend: "local", version: 2 });
});

it("a slug that is taken leaves nothing of the second domain", async () => {
	await opened.tenant("taken");
	const profiles = "select count(*) as many from reelmill.storage_profiles";
	const before = await opened.database.query({ text: profiles, values: [] });
	await expect(opened.tenant("taken")).rejects.toMatchObject({ code: "slug_already_exists" });
	expect(await opened.database.query({ text: profiles, values: [] })).toEqual(before);
});

it("a location that doesn't exist is refused before anything is opened", () => {
	expect(() => createEngine({ ...opened.options, storageDefault: "us" })).toThrow(
		new RangeError('There is no storage location "us"; there are: eu.'),
	);
	expect(() => createEngine({ ...opened.options, storageLocations: [], storageDefault: "us" })).toThrow(
		"there are none",
	);
});

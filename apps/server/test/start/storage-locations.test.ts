import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartError } from "@reelmill/settings";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readStorageLocations } from "../../src/start/storage-locations.ts";

const frankfurt = {
	id: "eu",
	name: "Frankfurt",
	region: "eu-central-1",
	bucket: "videos",
	access_key_id: "AKID",
	secret_access_key: "secret-of-the-operator",
};
let directory: string;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-locations-"));
});
afterAll(() => rm(directory, { recursive: true }));

async function read(content: unknown) {
	const path = join(directory, "locations.json");
	await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
	return readStorageLocations(path);
}

describe("the platform's locations", () => {
	it("are read from a file, with what it leaves out", async () => {
		const elsewhere = {
			...frankfurt,
			id: "ceph",
			endpoint: "http://rgw.internal:7480",
			public_endpoint: "https://s3.example",
			region: undefined,
			key_prefix: "a/b",
		};
		const [aws, ceph] = await read([frankfurt, { ...elsewhere, public_base_url: "https://cdn.example" }]);
		expect(aws).toEqual({
			id: "eu",
			name: "Frankfurt",
			region: "eu-central-1",
			bucket: {
				owner: "platform",
				protocol: "s3",
				endpoint: null,
				publicEndpoint: null,
				bucket: "videos",
				keyPrefix: "",
				credentials: { id: "AKID", secret: "secret-of-the-operator" },
				options: { region: "eu-central-1", forcePathStyle: false },
			},
		});
		expect(ceph).toMatchObject({
			publicBaseUrl: "https://cdn.example",
			bucket: {
				endpoint: "http://rgw.internal:7480",
				publicEndpoint: "https://s3.example",
				keyPrefix: "a/b",
				options: { region: "", forcePathStyle: true },
			},
		});
	});

	it.each<[string, unknown, RegExp]>([
		["no JSON", "{", /is not JSON\.$/],
		["no list", {}, /: .*array/],
		["a missing bucket", [{ ...frankfurt, bucket: undefined }], /: 0\.bucket: /],
		["a field that is none", [frankfurt, { ...frankfurt, id: "b", secret: "hidden" }], /: 1: .*secret/],
		["an endpoint that is none", [{ ...frankfurt, endpoint: "ftp://x" }], /: 0\.endpoint: must be an http/],
		["a prefix with an empty part", [{ ...frankfurt, key_prefix: "a//b" }], /: 0\.key_prefix: must be parts/],
		["neither endpoint nor region", [{ ...frankfurt, region: undefined }], /neither endpoint nor region/],
		["the same id twice", [frankfurt, frankfurt], /names an id twice/],
	])("stop the start with a sentence that names file and field, and no secret: %s", async (_, content, sentence) => {
		const error = await read(content).catch((cause: unknown) => cause);
		expect(error).toBeInstanceOf(StartError);
		const { message } = error as StartError;
		expect(message).toMatch(/^REELMILL_STORAGE_LOCATIONS: \S+locations\.json/);
		expect(message).toMatch(sentence);
		expect(message).not.toMatch(/secret-of-the-operator|hidden/);
	});
});

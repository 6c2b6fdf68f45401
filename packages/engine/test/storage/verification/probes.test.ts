import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StorageProfile } from "@reelmill/contracts";
import { createEngine, type ObjectStorage, type UploadStore } from "@reelmill/engine";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createLocalBuckets, type LocalBuckets } from "../../support/local-buckets.ts";
import { type OpenedEngine, openEngine } from "../../support/open-engine.ts";

const mine: StorageProfile = {
	...{ backend: "s3_tenant", endpoint: "https://s3.example", region: "eu-1", bucket: "one" },
	...{ access_key_id: "AKIDTENANT", secret_access_key: "secret-of-the-tenant" },
};

let opened: OpenedEngine;
let buckets: LocalBuckets;
let directory: string;
let domainId: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-buckets-"));
	buckets = createLocalBuckets(directory);
	opened = await openEngine({ buckets });
	await buckets.make("one", { AKIDTENANT: "secret-of-the-tenant" });
	domainId = (await opened.tenant()).domain.id;
});
afterEach(async () => {
	await opened.close();
	await rm(directory, { recursive: true });
});

const left = async () => [...(await buckets.keysIn("one")), ...(await buckets.uploadsIn("one"))];
const put = () => opened.engine.storage.put(domainId, mine);

/** As a server that is killed does: from the operation on, nothing that it asks of the bucket is done any more. */
async function killAt(operation: string, begin: () => Promise<unknown>): Promise<void> {
	let isKilled = false;
	buckets.forbidden = (each) => {
		isKilled ||= each === operation;
		return isKilled;
	};
	await begin().catch(() => undefined);
	buckets.forbidden = () => false;
}

it.each(["get", "append", "read", "discard", "deletePrefix"])(
	"are removed after a server was killed at %s, within a minute, from a bucket that is in force",
	async (operation) => {
		await put();
		await killAt(operation, () => opened.engine.storage.verify(domainId, mine));
		expect(await left()).not.toEqual([]);
		await opened.clock.advance(20_000);
		await opened.engine.sweep();
		expect(await left()).not.toEqual([]);
		await opened.clock.advance(21_000);
		await opened.engine.sweep();
		expect(await left()).toEqual([]);
		expect(await opened.database.query({ text: "select from reelmill.deletions", values: [] })).toEqual([]);
	},
);

it.each([
	{ presign: true, download: false },
	{ presign: false, download: true },
	{ presign: false, download: false },
])(
	"are removed from a bucket that is capable of %o by the next round trip, where no profile says how to get there",
	async (capabilities) => {
		buckets.capabilities = capabilities;
		await killAt("discard", () => opened.engine.storage.verify(domainId, mine));
		expect(await left()).not.toEqual([]);
		await opened.clock.advance(31_000);
		await opened.engine.storage.verify(domainId, mine);
		expect(await left()).toEqual([]);
	},
);

it("are removed when a profile is in force at last, however soon after the try that was cut off", async () => {
	await killAt("read", put);
	await put();
	expect(await left()).not.toEqual([]);
	await opened.clock.advance(41_000);
	await opened.engine.sweep();
	expect(await left()).toEqual([]);
});

it("of a round trip that runs are left alone by another's end", async () => {
	const { promise: reached, resolve } = Promise.withResolvers<void>();
	const { promise: goOn, resolve: release } = Promise.withResolvers<void>();
	buckets.wait = async () => {
		if (buckets.operations.at(-1)?.operation !== "append") return;
		buckets.wait = async () => undefined;
		resolve();
		await goOn;
	};
	const first = opened.engine.storage.verify(domainId, mine);
	await reached;
	await opened.engine.storage.verify(domainId, mine);
	expect(await buckets.keysIn("one")).toHaveLength(1);
	release();
	expect(await first).toMatchObject({ steps: ["write", "read", "presign", "delete"] });
	expect(await left()).toEqual([]);
});

it("are removed from the local disk, too", async () => {
	let isKilled = true;
	const unlessKilled = <T extends object>(store: T, names: readonly string[]): T =>
		new Proxy(store, {
			get: (target, name) =>
				isKilled && names.includes(String(name))
					? () => Promise.reject(new Error("killed"))
					: Reflect.get(target, name),
		});
	const engine = createEngine({
		...opened.options,
		outputs: unlessKilled<ObjectStorage>(opened.outputs, ["deletePrefix", "delete"]),
		uploads: unlessKilled<UploadStore>(opened.uploads, ["discard"]),
	});
	const lies = async () => [
		...(await Array.fromAsync(opened.outputs.list("probe/"))),
		...(await Array.fromAsync(opened.uploads.list())),
	];
	await engine.storage.verify(domainId, { backend: "local" }).catch(() => undefined);
	isKilled = false;
	expect(await lies()).toHaveLength(2);
	await opened.clock.advance(41_000);
	await engine.sweep();
	expect(await lies()).toEqual([]);
});

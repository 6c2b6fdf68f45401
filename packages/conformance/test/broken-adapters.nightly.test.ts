import {
	type Case,
	databaseCases,
	importSourceCases,
	type Opened,
	objectStorageCases,
	rateLimiterCases,
	runCase,
	uploadStoreCases,
	webhookTransportCases,
	writeOnlyObjectStorageCases,
	writeOnlyUploadStoreCases,
} from "@reelmill/conformance";
import { createFakeClock } from "@reelmill/engine/testing";
import { createImportSource, createWebhookTransport } from "@reelmill/outbound";
import { createPostgresDatabase } from "@reelmill/postgres";
import { openTestDatabase, startTestServer, type TestServer } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Disk, failing, type Uploads } from "./memory-upload-store.ts";
import { brokenDatabases } from "./support/broken-database.ts";
import { brokenImportSources } from "./support/broken-import-source.ts";
import { brokenObjectStorages } from "./support/broken-object-storage.ts";
import { brokenRateLimiters } from "./support/broken-rate-limiter.ts";
import { brokenUploadStores } from "./support/broken-upload-store.ts";
import { brokenWebhookTransports } from "./support/broken-webhook-transport.ts";
import type { Objects } from "./support/memory-object-storage.ts";
import { brokenPresigning, openPresigningMemory } from "./support/presigning-memory.ts";
import { openWriteOnlyStorage, openWriteOnlyStore } from "./support/write-only-memory.ts";

async function expectToFail<Subject>(
	cases: readonly Case<Subject>[],
	name: string,
	open: () => Promise<Opened<Subject>>,
): Promise<void> {
	const found = cases.find((each) => each.name === name);
	expect(found, name).toBeDefined();
	await expect(runCase(found as Case<Subject>, open)).rejects.toThrow();
}

describe("an object storage", () => {
	it.each(brokenObjectStorages)("that $flaw fails the suite", async ({ noticedBy, make }) => {
		await expectToFail(objectStorageCases, noticedBy, async () => {
			const objects: Objects = new Map();
			return { subject: { storage: make(objects), elsewhere: make(objects) }, close: async () => {} };
		});
	});
});

describe("an object storage with presigned URLs", () => {
	it.each(brokenPresigning)("that $flaw fails the suite", ({ noticedBy, loosen }) =>
		expectToFail(objectStorageCases, noticedBy, () => openPresigningMemory(loosen)),
	);
});

describe("a storage that can't download and answers that there is nothing", () => {
	const nothing = async () => null;
	it("fails the suite of outputs, and that of uploads", async () => {
		const [storage, store] = [writeOnlyObjectStorageCases[0]?.name ?? "", writeOnlyUploadStoreCases[0]?.name ?? ""];
		await expectToFail(writeOnlyObjectStorageCases, storage, () => openWriteOnlyStorage(nothing));
		await expectToFail(writeOnlyUploadStoreCases, store, () => openWriteOnlyStore(nothing));
	});
});

describe("an upload store", () => {
	it.each(brokenUploadStores)("that $flaw fails the suite", async ({ noticedBy, make }) => {
		await expectToFail(uploadStoreCases, noticedBy, async () => {
			const [uploads, disk]: [Uploads, Disk] = [new Map(), { fails: false }];
			return {
				subject: { store: make(uploads, disk), elsewhere: make(uploads, disk), whileFailing: failing(disk) },
				close: async () => {},
			};
		});
	});
});

describe("a rate limiter", () => {
	it.each(brokenRateLimiters)("that $flaw fails the suite", async ({ noticedBy, make }) => {
		await expectToFail(rateLimiterCases, noticedBy, async () => {
			const clock = createFakeClock();
			const shared = new Map<string, number[]>();
			return {
				subject: { limiter: make(clock, shared), elsewhere: make(clock, shared), clock },
				close: async () => {},
			};
		});
	});
});

describe("a webhook transport", () => {
	it.each(brokenWebhookTransports)("that $flaw fails the suite", async ({ noticedBy, make }) => {
		await expectToFail(webhookTransportCases, noticedBy, async () => {
			const timeoutMilliseconds = 500;
			const guarded = createWebhookTransport({ allow: [], timeoutMilliseconds });
			const allowing = createWebhookTransport({ allow: ["127.0.0.0/8"], timeoutMilliseconds });
			const made = make({ guarded, allowing }, timeoutMilliseconds);
			return {
				subject: { ...made, timeoutMilliseconds },
				close: async () => void (await Promise.all([guarded.close(), allowing.close()])),
			};
		});
	});
});

describe("an import source", () => {
	it.each(brokenImportSources)("that $flaw fails the suite", async ({ noticedBy, make }) => {
		await expectToFail(importSourceCases, noticedBy, async () => {
			const guarded = createImportSource({ allow: [] });
			const allowing = createImportSource({ allow: ["127.0.0.0/8"] });
			return {
				subject: make({ guarded, allowing }),
				close: async () => void (await Promise.all([guarded.close(), allowing.close()])),
			};
		});
	});
});

describe("a database", () => {
	let server: TestServer;
	beforeAll(async () => {
		server = await startTestServer();
	});
	afterAll(() => server.close());

	it.each(brokenDatabases)("that $flaw fails the suite", async ({ noticedBy, make }) => {
		await expectToFail(databaseCases, noticedBy, async () => {
			const test = await openTestDatabase({ serverUrl: server.url });
			const other = createPostgresDatabase({ url: test.url });
			return {
				subject: { database: make(test.database), elsewhere: make(other) },
				async close() {
					await other.close();
					await test.close();
				},
			};
		});
	});
});

import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StorageError, type UploadStore } from "@reelmill/engine/ports";
import { createLocalUploadStore } from "@reelmill/storage-local";
import { afterAll, beforeAll, expect, it } from "vitest";
import { initiate, openService, type Service } from "../support/open-service.ts";
import { tusFor } from "../support/tus.ts";

let directory: string;
let service: Service;
let full: UploadStore;
let isFull = false;
let isUncertain = false;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-full-"));
	await mkdir(join(directory, "full"));
	const store = createLocalUploadStore({ directory: join(directory, "uploads") });
	full = createLocalUploadStore({ directory: join(directory, "full") });
	const refused = () => Promise.reject(new StorageError("failed", "The disk failed"));
	const uploads: UploadStore = {
		...store,
		append: (...written) => (isFull ? full : store).append(...written),
		size: (id) => (isUncertain ? refused() : store.size(id)),
	};
	service = await openService({}, () => ({ uploads }));
});
afterAll(async () => {
	await service.close();
	await rm(directory, { recursive: true });
});

it("says storage_unavailable while the disk is full, logs why, and takes the bytes when there is room again", async () => {
	const tus = tusFor(service.url, await initiate(service, (await service.tenant()).auth));
	await tus.create();
	await full.create(tus.id);
	const written = join(directory, "full", `${tus.id}.upload`, "bytes");
	await rm(written);
	await symlink("/dev/full", written);
	isFull = true;
	for (const _ of [1, 2, 3])
		expect(await tus.patch(0, "0123456789")).toMatchObject({ status: 503, json: { error: "storage_unavailable" } });
	const said = service.logger.entries.filter(({ level }) => level === "error");
	expect(said).toMatchObject([
		{ fields: { unavailable: "disk", error: { cause: { message: "The disk is full" } } }, message: "request failed" },
	]);
	isFull = false;
	expect((await tus.head()).headers["upload-offset"]).toBe("0");
	expect((await tus.patch(0, "0123456789")).status).toBe(204);
});

it("says that the storage is unavailable where the disk can't tell how much of an upload it holds", async () => {
	const tus = tusFor(service.url, await initiate(service, (await service.tenant()).auth));
	await tus.create();
	isUncertain = true;
	expect((await tus.head()).status).toBe(503);
	expect(await tus.patch(0, "0123456789")).toMatchObject({ status: 503, json: { error: "storage_unavailable" } });
	isUncertain = false;
	expect((await tus.head()).headers["upload-offset"]).toBe("0");
});

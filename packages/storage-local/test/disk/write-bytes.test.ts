import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeBytes } from "../../src/disk/write-bytes.ts";

let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-storage-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const megabyte = 1024 * 1024;
async function* megabytes(count: number): AsyncGenerator<Uint8Array> {
	for (let n = 0; n < count; n++) yield Buffer.alloc(megabyte, n);
}

it("rejects with the failure of a sync along the way, and leaves nothing running", async () => {
	const file = await open(join(directory, "a"), "w");
	let syncs = 0;
	file.datasync = async () => {
		syncs++;
		if (syncs === 1) throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
	};
	await expect(writeBytes(file, 0, megabytes(64))).rejects.toMatchObject({ code: "EIO" });
	expect(syncs).toBe(1);
	await file.close();
});

it("waits for a sync along the way before it rejects for another reason, so that the file can be closed", async () => {
	const file = await open(join(directory, "a"), "w");
	const { promise: synced, resolve } = Promise.withResolvers<void>();
	let isSyncing = false;
	file.datasync = async () => {
		isSyncing = true;
		await synced;
		isSyncing = false;
	};
	let writes = 0;
	const { writev } = file;
	file.writev = ((...parameters: Parameters<typeof writev>) => {
		writes++;
		if (writes < 20) return writev.apply(file, parameters);
		setTimeout(resolve, 50);
		return Promise.reject(Object.assign(new Error("ENOSPC: no space left on device, writev"), { code: "ENOSPC" }));
	}) as typeof writev;
	await expect(writeBytes(file, 0, megabytes(64))).rejects.toMatchObject({ code: "ENOSPC" });
	expect({ isSyncing, writes }).toEqual({ isSyncing: false, writes: 20 });
	await file.close();
});

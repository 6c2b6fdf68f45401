import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type FailingDisk, mountImage, openFailingDisk } from "@reelmill/fault-disk";
import { createLocalUploadStore } from "@reelmill/storage-local";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pattern } from "../support/pattern.ts";

const isRoot = process.getuid?.() === 0;
/** The device fails whole blocks. */
const block = 4096;
const [synced, failed, length] = [25 * block, 150 * block, 300 * block];

describe.runIf(isRoot)("after a sync that failed", () => {
	let parent: string;
	let disk: FailingDisk;
	const open = () => createLocalUploadStore({ directory: join(disk.directory, "uploads") });
	const bytes = (from: number, to: number) => Readable.from([pattern(from, to - from)]);

	beforeAll(async () => {
		parent = await mkdtemp(join(tmpdir(), "reelmill-failed-sync-"));
		disk = await openFailingDisk({ directory: join(parent, "disk"), megabytes: 32 });
	});
	afterAll(async () => {
		await disk.unmount();
		await rm(parent, { recursive: true, force: true });
	});

	/** Reads an upload from a copy of the disk. */
	async function copied(id: string): Promise<{ size: number | null; bytes: Buffer }> {
		await disk.copyTo(join(parent, "copy.img"));
		const copy = await mountImage(join(parent, "copy.img"), join(parent, "copy"));
		const store = createLocalUploadStore({ directory: join(copy.directory, "uploads") });
		const found = await store.read(id);
		const answer = { size: await store.size(id), bytes: await buffer(Readable.from(found?.bytes ?? [])) };
		await copy.unmount();
		return answer;
	}

	async function failedAppend(store = open()): Promise<string> {
		const id = randomUUID();
		await store.create(id);
		await store.append(id, 0, bytes(0, synced), { limit: length });
		await disk.fail();
		await expect(store.append(id, synced, bytes(synced, failed), { limit: length })).rejects.toMatchObject({
			name: "StorageError",
		});
		await disk.heal();
		return id;
	}

	it("the kernel shows bytes that aren't on the disk, and syncs them silently: the fault is the real one", async () => {
		const id = await failedAppend();
		const path = join(disk.directory, "uploads", `${id}.upload`, "bytes");
		expect((await stat(path)).size).toBe(failed);
		expect((await readFile(path)).equals(pattern(0, failed))).toBe(true);
	});

	it("nobody is told the bytes, here or in another process, now or after a power cut", async () => {
		const store = open();
		const id = await failedAppend(store);
		for (const each of [store, open()]) {
			expect(await each.size(id)).toBe(synced);
			expect((await each.read(id))?.size).toBe(synced);
			expect((await Array.fromAsync(each.list())).find((upload) => upload.id === id)).toEqual({ id, size: synced });
			await expect(each.append(id, failed, bytes(failed, length), { limit: length })).rejects.toThrow(RangeError);
		}
		expect(await copied(id)).toEqual({ size: synced, bytes: pattern(0, synced) });
	});

	it.each([
		["the same process", (store: ReturnType<typeof open>) => store],
		["another process", () => open()],
	])("they are taken again, and are on the disk then, by %s", async (_, next) => {
		const store = open();
		const id = await failedAppend(store);
		expect(await next(store).append(id, synced, bytes(synced, length), { limit: length })).toBe(length);
		expect(await copied(id)).toEqual({ size: length, bytes: pattern(0, length) });
	});
});

import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";
import { afterEach, beforeEach, expect, it } from "vitest";

let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-storage-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function* bytes(length: number): AsyncGenerator<Uint8Array> {
	for (let left = length; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536), "x");
}
/** The files below the storage that this process has open; others of its files come and go. */
async function openFiles(): Promise<string[]> {
	const descriptors = await readdir("/proc/self/fd").catch(() => []);
	const files = await Promise.all(descriptors.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => "")));
	return files.filter((file) => file.startsWith(directory));
}

it("opens nothing and makes no directory before the first write", async () => {
	const place = join(directory, "later");
	const storage = createLocalObjectStorage({ directory: place });
	const store = createLocalUploadStore({ directory: place });
	expect(await storage.head("a")).toBeNull();
	expect(await Array.fromAsync(storage.list("a/"))).toEqual([]);
	expect(await Array.fromAsync(store.list())).toEqual([]);
	expect(await readdir(directory)).toEqual([]);
});

it("leaves no empty folder behind deleted objects", async () => {
	const storage = createLocalObjectStorage({ directory });
	await storage.put("videos/1/hls/a", bytes(1));
	await storage.put("videos/2/a", bytes(1));
	await storage.delete("videos/1/hls/a");
	await storage.deletePrefix("videos/2/");
	expect(await readdir(directory)).toEqual(["~incoming"]);
});

it("holds no file open after reads that ended, were left, or never began", async () => {
	const storage = createLocalObjectStorage({ directory });
	const store = createLocalUploadStore({ directory: join(directory, "uploads") });
	const id = randomUUID();
	await store.create(id);
	await store.append(id, 0, bytes(2_000_000), { limit: 2_000_000 });
	await storage.put("a", bytes(2_000_000));
	for (let time = 0; time < 50; time++) {
		for (const found of [await storage.get("a"), await store.read(id)]) {
			if (time % 3 === 0) continue;
			for await (const _ of found?.bytes ?? []) if (time % 3 === 1) break;
		}
	}
	expect(await openFiles()).toEqual([]);
});

it("says which object stands in the way of a key below it", async () => {
	const storage = createLocalObjectStorage({ directory });
	await storage.put("a", bytes(1));
	await expect(storage.put("a/b", bytes(1))).rejects.toThrow(/EEXIST|ENOTDIR/);
	expect(await storage.head("a")).toEqual({ key: "a", size: 1 });
	expect(await readdir(join(directory, "~incoming"))).toEqual([]);
});

it("reads and writes nothing outside its directory", async () => {
	const outside = join(directory, "secret");
	await writeFile(outside, "secret");
	const inside = join(directory, "storage");
	const storage = createLocalObjectStorage({ directory: inside });
	await storage.put("a/b", bytes(1));
	for (const key of ["../secret", "a/../../secret", outside, "a/..%2f..%2fsecret"]) {
		await expect(storage.get(key)).rejects.toThrow(TypeError);
		await expect(storage.put(key, bytes(1))).rejects.toThrow(TypeError);
		await expect(storage.delete(key)).rejects.toThrow(TypeError);
	}
	await symlink(outside, join(inside, "link"));
	await storage.delete("link");
	expect(await readFile(outside, "utf8")).toBe("secret");
});

it("rejects, and acknowledges nothing, when the disk refuses a write", async () => {
	const store = createLocalUploadStore({ directory });
	const id = randomUUID();
	await store.create(id);
	const written = join(directory, `${id}.upload`, "bytes");
	await rm(written);
	await symlink("/dev/full", written);
	await expect(store.append(id, 0, bytes(3_000_000), { limit: 3_000_000 })).rejects.toMatchObject({
		...{ name: "StorageError", fault: "failed", message: "The disk is full" },
		cause: { code: "ENOSPC" },
	});
});

import { randomUUID } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createLocalUploadStore } from "@reelmill/storage-local";
import { afterEach, beforeEach, expect, it } from "vitest";
import { pattern } from "../support/pattern.ts";

let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-record-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const limit = 1_000_000;
const open = () => createLocalUploadStore({ directory });
const bytes = (from: number, to: number) => Readable.from([pattern(from, to - from)]);
const bytesFile = (id: string) => join(directory, `${id}.upload`, "bytes");
const recordFile = (id: string) => join(directory, `${id}.upload`, "synced");
async function uploaded(length: number): Promise<string> {
	const id = randomUUID();
	await open().create(id);
	await open().append(id, 0, bytes(0, length), { limit });
	return id;
}

it("takes bytes that nobody recorded for none, and cuts them off before others are written", async () => {
	const id = await uploaded(1000);
	await appendFile(bytesFile(id), Buffer.alloc(5000, 1));
	expect(await open().size(id)).toBe(1000);
	expect(await open().append(id, 1000, bytes(1000, 2000), { limit })).toBe(2000);
	expect((await readFile(bytesFile(id))).equals(pattern(0, 2000))).toBe(true);
});

it("reports the bytes that are there if a restored backup has fewer than were recorded, and goes on", async () => {
	const id = await uploaded(1000);
	await truncate(bytesFile(id), 400);
	expect(await open().size(id)).toBe(400);
	expect((await open().read(id))?.size).toBe(400);
	const store = open();
	expect(await store.append(id, 400, bytes(400, 700), { limit })).toBe(700);
	await appendFile(bytesFile(id), Buffer.alloc(5000, 1));
	expect(await open().size(id)).toBe(700);
});

it("lets no writer that was given up as lost raise the size, however late it comes", async () => {
	const id = await uploaded(1000);
	const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
	const { promise: isLate, resolve: wake } = Promise.withResolvers<void>();
	async function* late() {
		yield pattern(1000, 4000);
		hold();
		await isLate;
	}
	const lost = open().append(id, 1000, late(), { limit });
	await isHeld;
	const next = open();
	expect(await next.append(id, 1000, bytes(1000, 2000), { limit })).toBe(2000);
	wake();
	await lost;
	for (const store of [next, open()]) expect(await store.size(id)).toBe(2000);
	expect(await open().append(id, 2000, bytes(2000, 3000), { limit })).toBe(3000);
	expect((await buffer(Readable.from((await open().read(id))?.bytes ?? []))).equals(pattern(0, 3000))).toBe(true);
});

it("reads nothing out of lines that a power cut took", async () => {
	const id = await uploaded(1000);
	await appendFile(recordFile(id), Buffer.alloc(32));
	await appendFile(recordFile(id), "99");
	expect(await open().size(id)).toBe(1000);
});

it("keeps the record short, however many appends there are and whoever asks meanwhile", async () => {
	const id = await uploaded(0);
	const store = open();
	for (let at = 0; at < 100; at++) {
		expect(await store.append(id, at, bytes(at, at + 1), { limit })).toBe(at + 1);
		if (at % 10 === 0) expect(await open().size(id)).toBe(at + 1);
	}
	expect((await stat(recordFile(id))).size).toBeLessThan(1024);
	expect(await readdir(join(directory, `${id}.upload`))).toEqual(["bytes", "synced"]);
});

it("removes what a process left that was killed while discarding or converting an upload", async () => {
	const id = await uploaded(1000);
	for (const name of [`${id}.gone`, `${id}.adopting`]) {
		await mkdir(join(directory, name));
		await writeFile(join(directory, name, "bytes"), "left");
	}
	await open().discard(id);
	expect((await readdir(directory)).filter((name) => name.startsWith(id))).toEqual([]);
	expect((await Array.fromAsync(open().list())).filter((upload) => upload.id === id)).toEqual([]);
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@reelmill/engine";
import { createLocalObjectStorage } from "@reelmill/storage-local";
import { describe, expect, it } from "vitest";
import { ZipFile } from "yazl";
import { readArchive } from "../../src/internal/archive.ts";
import { createSpools, type Spool } from "../../src/internal/spool.ts";
import { endBytes, forge, forgeField, manyEntries, zipOf } from "../support/zip.ts";

/** A zip in memory, read as one on the disk is. */
const spoolOf = (zip: Uint8Array): Spool => ({
	size: zip.length,
	read: async (target, position) => target.set(zip.subarray(position, position + target.length)),
});

async function read(zip: Uint8Array, bytes = 1_000_000, entries = 100): Promise<Record<string, string>> {
	const files: Record<string, string> = {};
	for await (const entry of readArchive(spoolOf(zip), { bytes, entries })) {
		const parts: Uint8Array[] = [];
		for await (const part of entry.bytes) parts.push(part);
		files[entry.path] = Buffer.concat(parts).toString();
	}
	return files;
}
const refused = (zip: Uint8Array, code: string, bytes?: number, entries?: number) =>
	expect(read(zip, bytes, entries)).rejects.toMatchObject({ code });

describe("readArchive", () => {
	it("gives the files, packed or stored, and passes over folders", async () => {
		const files = { "hls/master.m3u8": "#EXTM3U", "media/h264_720.mp4": "x".repeat(100_000), "og.jpg": "" };
		expect(await read(forge(await zipOf({ ...files, folder_: "" }), "folder_", "folder/"))).toEqual(files);
	});

	it("frees each piece of an archive once it is spooled, and of its files once they are stored", async () => {
		const directory = await mkdtemp(join(tmpdir(), "reelmill-archive-"));
		try {
			const storage = createLocalObjectStorage({ directory });
			const zip = new ZipFile();
			zip.addBuffer(Buffer.alloc(3_000_000, "x"), "media/h264_720.mp4", { compress: false });
			zip.end();
			const sent = Buffer.concat((await Array.fromAsync(zip.outputStream)) as Buffer[]);
			const pieces: Uint8Array[] = [];
			const bytes = async function* () {
				for (let at = 0; at < sent.length; at += 65_536) {
					pieces.push(new Uint8Array(sent.subarray(at, at + 65_536)));
					yield pieces.at(-1) as Uint8Array;
				}
			};
			const spools = createSpools(directory, systemClock);
			await spools.with(bytes(), { name: "spool", limit: sent.length }, async (spool) => {
				for await (const { path, bytes, release } of readArchive(spool, { bytes: 4_000_000, entries: 1 }))
					await storage.put(path, passing(bytes), { release });
			});
			async function* passing(bytes: AsyncIterable<Uint8Array>) {
				for await (const piece of bytes) {
					pieces.push(piece);
					yield piece;
				}
			}
			expect(pieces.length).toBeGreaterThan(50);
			expect(pieces.filter(({ byteLength }) => byteLength > 0)).toEqual([]);
			expect(await storage.head("media/h264_720.mp4")).toMatchObject({ size: 3_000_000 });
		} finally {
			await rm(directory, { recursive: true });
		}
	});

	it.each([
		["leaves the root by ..", "aa/evil.txt", "../evil.txt"],
		["leaves the root in the middle", "aa/bb/evil.txt", "aa/../evil.txt"],
		["is absolute", "xetc/passwd", "/etc/passwd"],
		["has a backslash", "aa/evil.txt", "aa\\evil.txt"],
		["has a drive", "cx/evil.txt", "c:/evil.txt"],
		["has an empty part", "aa/b/evil.txt", "aa///evil.txt"],
		["has a NUL", "aa/evil.txt", "aa/evi\u0000.txt"],
		["isn't ASCII", "aa/evil.txt", "aa/\u00e9vil.txt"],
	])("refuses a name that %s", async (_, honest, evil) =>
		refused(forge(await zipOf({ [honest]: "x", "ok.txt": "y" }), honest, evil), "invalid_zip_entry"),
	);

	it("refuses a name that comes twice, as a file or as another file's folder", async () => {
		await refused(forge(await zipOf({ "a.txt": "1", "b.txt": "2" }), "b.txt", "a.txt"), "invalid_zip_entry");
		await refused(forge(await zipOf({ "a/b": "1", "x/a": "2" }), "x/a", "a/b"), "invalid_zip_entry");
		await refused(await zipOf({ a: "1", "a/b": "2" }), "invalid_zip_entry");
		await refused(await zipOf({ "a/b": "1", a: "2" }), "invalid_zip_entry");
	});

	it("refuses links and devices", async () => {
		await refused(await zipOf({ link: { bytes: "/etc/passwd", mode: 0o120777 } }), "invalid_zip_entry");
		await refused(await zipOf({ device: { bytes: "", mode: 0o020666 } }), "invalid_zip_entry");
	});

	it("refuses encrypted entries and unknown packing", async () => {
		const zip = await zipOf({ "a.txt": "x".repeat(100) });
		await refused(
			forgeField(zip, 8, (flags) => flags | 1),
			"invalid_zip_entry",
		);
		await refused(
			forgeField(zip, 10, () => 12),
			"invalid_zip_entry",
		);
	});

	it("gives out nothing when any entry is bad", async () => {
		const spool = spoolOf(forge(await zipOf({ "ok.txt": "y", "aa/evil.txt": "x" }), "aa/evil.txt", "../evil.txt"));
		await expect(readArchive(spool, { bytes: 1000, entries: 10 }).next()).rejects.toMatchObject({
			code: "invalid_zip_entry",
		});
	});

	it("refuses entries whose bytes are not what the directory says", async () => {
		const zip = await zipOf({ "a.txt": "x".repeat(5000) });
		await refused(
			forgeField(zip, 24, () => 4000),
			"invalid_zip_entry",
		);
		await refused(
			forgeField(zip, 24, () => 6000),
			"invalid_zip_entry",
		);
		await refused(
			forgeField(zip, 16, (crc) => crc ^ 1),
			"invalid_zip_entry",
		);
	});

	it("refuses more bytes than the limit, however well they are packed", async () => {
		const zip = await zipOf({ "a.txt": "x".repeat(600), "b.txt": "x".repeat(600) });
		expect(Object.keys(await read(zip, 1200))).toEqual(["a.txt", "b.txt"]);
		await refused(zip, "zip_too_large", 1199);
		await refused(await zipOf({ "bomb.bin": Buffer.alloc(5_000_000) }), "zip_too_large");
	});

	it("refuses more entries than the job has, folders among them", async () => {
		const zip = forge(await zipOf({ "a.txt": "1", "b.txt": "2", folder_: "" }), "folder_", "folder/");
		expect(Object.keys(await read(zip, 10, 3))).toEqual(["a.txt", "b.txt"]);
		await refused(zip, "invalid_zip_entry", 10, 2);
	});

	it("refuses a directory of a million entries, and one that says it has them, without reading it", async () => {
		const million = manyEntries(1_000_000);
		const before = process.memoryUsage();
		let most = 0;
		const watching = setInterval(() => {
			const { heapUsed, arrayBuffers } = process.memoryUsage();
			most = Math.max(most, heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers);
		}, 1);
		await refused(million, "invalid_zip_entry", 1_000_000, 2000);
		clearInterval(watching);
		expect(most).toBeLessThan(32 * 1024 * 1024);
		const few = manyEntries(3);
		const lying = Buffer.from(few);
		lying.writeBigUInt64LE(2n ** 52n, few.length - endBytes + 32);
		await refused(lying, "invalid_zip_entry", 1_000_000, 2000);
		// Of more than it says it has, only those are read.
		const hiding = Buffer.from(million);
		hiding.writeBigUInt64LE(3n, million.length - endBytes + 32);
		expect(Object.keys(await read(hiding, 1_000_000, 2000))).toHaveLength(3);
	});

	it("refuses an entry that says more of itself than any archiver writes", async () => {
		const zip = new ZipFile();
		// A name of its own, for yazl's types don't know of comments.
		const options = { mtime: new Date("2026-01-31"), fileComment: "x".repeat(60_000) };
		zip.addBuffer(Buffer.from("x"), "a.txt", options);
		zip.end();
		const parts: Buffer[] = [];
		for await (const part of zip.outputStream) parts.push(part as Buffer);
		await refused(Buffer.concat(parts), "invalid_zip_entry");
	});

	it("refuses what is no zip, or was cut short", async () => {
		await refused(Buffer.from("no archive at all"), "bad_request");
		await refused(Buffer.alloc(0), "bad_request");
		const zip = await zipOf({ "a.txt": "x" });
		await refused(zip.subarray(0, zip.length - 10), "bad_request");
	});
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Bytes } from "@reelmill/engine/ports";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSqliteObjectStorage, createSqliteUploadStore, openSqliteFile } from "../src/index.ts";
import { pattern, patternOf } from "./support/pattern.ts";

const id = "0b9f9f3e-6ad1-4bb8-8c2e-6a3f1a2b3c4d";
let directory: string;
let path: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "sqlite-file-"));
	path = join(directory, "videos.sqlite");
});
afterEach(() => rm(directory, { recursive: true }));

const collected = async (bytes: Bytes | undefined): Promise<Buffer> =>
	Buffer.concat(await Array.fromAsync(bytes ?? []));
const countChunks = (file: ReturnType<typeof openSqliteFile>) =>
	file.look((database) => database.prepare("select count(*) as count from chunks").get()?.count);

describe("a SQLite file", () => {
	it("has every byte that was answered for when the process that appended is killed", async () => {
		const child = spawn(
			process.execPath,
			[fileURLToPath(new URL("./support/appending-process.ts", import.meta.url)), path],
			{
				stdio: ["ignore", "pipe", "inherit"],
			},
		);
		const answered: string[] = [];
		for await (const line of createInterface(child.stdout)) {
			answered.push(line);
			if (answered.length === 8) child.kill("SIGKILL");
		}
		if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
		expect(child.signalCode).toBe("SIGKILL");

		const file = openSqliteFile(path);
		const store = createSqliteUploadStore(file);
		const upload = answered[0] ?? "";
		const size = (await store.size(upload)) ?? 0;
		expect(size).toBeGreaterThanOrEqual(Number(answered.at(-1)));
		expect((await collected((await store.read(upload))?.bytes)).equals(patternOf(0, size))).toBe(true);
		expect(await store.append(upload, size, pattern(size, 10), { limit: size + 10 })).toBe(size + 10);
		file.close();
	});

	it("syncs each commit to the disk before it is answered, as WAL mode does with synchronous = full alone", () => {
		const file = openSqliteFile(path);
		const pragma = (name: string) => file.look((database) => database.prepare(`pragma ${name}`).get());
		expect([pragma("journal_mode"), pragma("synchronous")]).toEqual([{ journal_mode: "wal" }, { synchronous: 2 }]);
		file.close();
	});

	it("removes what a killed put left an hour ago, and nothing younger, when it is opened again", async () => {
		const file = openSqliteFile(path);
		const outputs = createSqliteObjectStorage(file);
		await outputs.put("kept", pattern(0, 10));
		file.change((database) => {
			for (const [content, minutes] of [["young", 59] as const, ["old", 61] as const]) {
				database
					.prepare("insert into drafts (content, touched_at) values (?, ?)")
					.run(content, Date.now() - minutes * 60_000);
				database.prepare("insert into chunks (content, position, bytes) values (?, 0, x'00')").run(content);
			}
		});
		file.close();
		const again = openSqliteFile(path);
		expect(again.look((database) => database.prepare("select content from drafts").all())).toEqual([
			{ content: "young" },
		]);
		expect(countChunks(again)).toBe(2);
		again.close();
	});

	it("has no chunk that nothing stands for, after replacing, failing and deleting", async () => {
		const file = openSqliteFile(path);
		const outputs = createSqliteObjectStorage(file);
		const uploads = createSqliteUploadStore(file);
		async function* failing() {
			yield* pattern(0, 2_000_000);
			throw new Error("gone");
		}
		for (const key of ["a/b", "a/b", "a/c"]) await outputs.put(key, pattern(0, 2_000_000));
		await expect(outputs.put("a/b", failing())).rejects.toThrow("gone");
		await uploads.create(id);
		await uploads.append(id, 0, pattern(0, 10), { limit: 10 });
		await Promise.all([outputs.delete("a/c"), outputs.deletePrefix("a/"), uploads.discard(id)]);
		expect(countChunks(file)).toBe(0);
		file.close();
	});
});

describe("what is wrong with a storage", () => {
	it("rejects the first use with a StorageError: missing, unreadable, not a database, or closed", async () => {
		const junk = join(directory, "junk");
		await writeFile(junk, "x".repeat(5000));
		const closed = openSqliteFile(path);
		closed.close();
		const wrong = [
			[openSqliteFile(path, { mustExist: true }), "bucket", "There is no storage of this name"],
			[openSqliteFile(directory), "unreachable", "SQLite says: unable to open database file"],
			[openSqliteFile(junk), "failed", "SQLite says: file is not a database"],
			[closed, "unreachable", "The storage is closed"],
		] as const;
		for (const [file, fault, message] of wrong) {
			await expect(createSqliteUploadStore(file).size(id)).rejects.toMatchObject({
				name: "StorageError",
				fault,
				message,
			});
		}
	});

	it("shows in the append that meets it, which keeps what was answered before: a disk that is full", async () => {
		const file = openSqliteFile(path);
		const store = createSqliteUploadStore(file);
		await store.create(id);
		const offset = await store.append(id, 0, pattern(0, 100_000), { limit: 10_000_000 });
		file.look((database) => database.exec("pragma max_page_count = 60"));
		const full = { name: "StorageError", fault: "failed", message: "SQLite says: database or disk is full" };
		await expect(store.append(id, offset, pattern(offset, 5_000_000), { limit: 10_000_000 })).rejects.toMatchObject(
			full,
		);
		expect(await store.size(id)).toBe(100_000);
		expect((await collected((await store.read(id))?.bytes)).equals(patternOf(0, 100_000))).toBe(true);
		file.close();
	});
});

describe("a storage that only takes bytes", () => {
	it("says so, and rejects each get and read, of what is there and what isn't", async () => {
		const file = openSqliteFile(path);
		const outputs = createSqliteObjectStorage(file, { writeOnly: true });
		const uploads = createSqliteUploadStore(file, { writeOnly: true });
		expect([outputs.capabilities, uploads.capabilities]).toEqual(Array(2).fill({ presign: false, download: false }));
		await outputs.put("a", pattern(0, 10));
		await uploads.create(id);
		for (const key of ["a", "none"]) await expect(outputs.get(key)).rejects.toThrow(TypeError);
		await expect(uploads.read(id)).rejects.toThrow(TypeError);
		expect([await outputs.head("a"), await uploads.size(id)]).toEqual([{ key: "a", size: 10 }, 0]);
		file.close();
	});
});

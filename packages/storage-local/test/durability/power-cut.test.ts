import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { link, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type DiskFaults, type MountedImage, mountImage, openDiskFaults, openDiskImage } from "@reelmill/fault-disk";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pattern } from "../support/pattern.ts";

const isRoot = process.getuid?.() === 0;

describe.runIf(isRoot)("after a power cut", () => {
	let parent: string;
	let disk: MountedImage;
	let faults: DiskFaults;
	beforeAll(async () => {
		parent = await mkdtemp(join(tmpdir(), "reelmill-power-cut-"));
		disk = await openDiskImage({ directory: join(parent, "disk"), megabytes: 32 });
		faults = await openDiskFaults();
	});
	afterAll(async () => {
		await faults?.close();
		await disk?.unmount();
		await rm(parent, { recursive: true, force: true });
	});
	const uploads = (directory = disk.directory) => createLocalUploadStore({ directory: join(directory, "uploads") });
	const outputs = (directory = disk.directory) => createLocalObjectStorage({ directory: join(directory, "outputs") });

	async function afterACut<T>(look: (directory: string) => Promise<T>): Promise<T> {
		await disk.copyTo(join(parent, "copy.img"));
		const copy = await mountImage(join(parent, "copy.img"), join(parent, "copy"));
		try {
			return await look(copy.directory);
		} finally {
			await copy.unmount();
		}
	}
	/** What is left of an upload, and whether all of it is as it was sent. */
	async function upload(id: string, directory: string) {
		const store = uploads(directory);
		const bytes = await buffer(Readable.from((await store.read(id))?.bytes ?? []));
		return { size: await store.size(id), isSound: bytes.equals(pattern(0, bytes.length)) };
	}
	/**
	 * Starts a process that appends, and kills it while its syncs hang, with bytes written that no sync has covered yet.
	 */
	async function killedOverASync(id: string): Promise<number> {
		const program = fileURLToPath(new URL("../support/appending-process.ts", import.meta.url));
		const child: ChildProcess = spawn(process.execPath, [program, join(disk.directory, "uploads"), id], {
			env: { ...process.env, ...faults.environment },
			stdio: ["ignore", "pipe", "inherit"],
		});
		let acknowledged = 0;
		createInterface(child.stdout as Readable).on("line", (line) => {
			acknowledged = Number(line);
		});
		await expect.poll(() => acknowledged).toBeGreaterThan(960_000);
		await faults.use([{ call: "sync", path: disk.directory, effect: { kind: "delay", milliseconds: 60_000 } }]);
		const file = join(disk.directory, "uploads", `${id}.upload`, "bytes");
		// It acknowledges nothing more, so its syncs hang now, with bytes written.
		let before = -1;
		const isHanging = async () => {
			const answer = acknowledged === before && (await stat(file)).size > acknowledged;
			before = acknowledged;
			return answer;
		};
		await expect.poll(isHanging, { interval: 100 }).toBe(true);
		child.kill("SIGKILL");
		await once(child, "exit");
		await faults.use([]);
		return acknowledged;
	}

	it("an upload has what anybody was told, though the process that wrote it was killed before its sync", async () => {
		const id = randomUUID();
		const acknowledged = await killedOverASync(id);
		const told = (await uploads().size(id)) as number;
		expect(told).toBeGreaterThanOrEqual(acknowledged);
		expect(await afterACut((directory) => upload(id, directory))).toEqual({ size: told, isSound: true });
		const whole = told + 500_000;
		expect(await uploads().append(id, told, Readable.from([pattern(told, 500_000)]), { limit: whole })).toBe(whole);
		expect(await afterACut((directory) => upload(id, directory))).toEqual({ size: whole, isSound: true });
	});

	it("an upload of an earlier version keeps the size that was reported, and goes on", async () => {
		const id = randomUUID();
		await uploads().create(randomUUID());
		await writeFile(join(disk.directory, "uploads", id), pattern(0, 300_000));
		expect(await afterACut((directory) => upload(id, directory))).toEqual({ size: null, isSound: true });
		await uploads().create(id);
		expect(await uploads().size(id)).toBe(300_000);
		expect(await afterACut((directory) => upload(id, directory))).toEqual({ size: 300_000, isSound: true });
		expect(await uploads().append(id, 300_000, Readable.from([pattern(300_000, 100_000)]), { limit: 400_000 })).toBe(
			400_000,
		);
		expect(await afterACut((directory) => upload(id, directory))).toEqual({ size: 400_000, isSound: true });
		expect(await Array.fromAsync(uploads().list())).toContainEqual({ id, size: 400_000 });
		await uploads().discard(id);
		expect(await afterACut((directory) => upload(id, directory))).toEqual({ size: null, isSound: true });
	});

	it("objects that were put, copied, deleted or replaced are as was answered", async () => {
		const storage = outputs();
		const bytes = (length: number) => Readable.from([pattern(0, length)]);
		for (const key of ["videos/1/a", "videos/1/b", "videos/2/a", "videos/3/a"]) await storage.put(key, bytes(1000));
		const sizes = (keys: readonly string[]) =>
			afterACut((directory) => Promise.all(keys.map(async (key) => (await outputs(directory).head(key))?.size)));
		expect(await sizes(["videos/1/a", "videos/1/b", "videos/2/a", "videos/3/a"])).toEqual([1000, 1000, 1000, 1000]);
		await storage.delete("videos/1/a");
		expect(await sizes(["videos/1/a", "videos/1/b"])).toEqual([undefined, 1000]);
		await storage.delete("videos/2/a");
		expect(await sizes(["videos/2/a"])).toEqual([undefined]);
		await storage.deletePrefix("videos/3/");
		expect(await sizes(["videos/3/a"])).toEqual([undefined]);
		await storage.copy?.("videos/1/b", "videos/4/b");
		await storage.put("videos/1/b", bytes(2000));
		expect(await sizes(["videos/1/b", "videos/4/b"])).toEqual([2000, 1000]);
	});

	it("a deletion holds that another process began and was killed over", async () => {
		const storage = outputs();
		await storage.put("videos/5/a", Readable.from([pattern(0, 1000)]));
		const path = join(disk.directory, "outputs", "videos", "5");
		await link(join(path, "a"), join(path, "b"));
		await rm(join(path, "a"));
		await storage.delete("videos/5/a");
		expect(await afterACut(async (directory) => (await outputs(directory).head("videos/5/a"))?.size)).toBeUndefined();
	});
});

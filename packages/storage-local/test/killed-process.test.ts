import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";
import { afterEach, beforeEach, expect, it } from "vitest";
import { pattern } from "./support/pattern.ts";

let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-storage-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/**
 * Runs a program until it has written `lines` lines, then kills it in the middle of its work. Returns the last whole
 * line.
 */
async function killAfter(lines: number, program: string, ...args: string[]): Promise<string> {
	const child = spawn(process.execPath, [fileURLToPath(new URL(program, import.meta.url)), ...args], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	let last = "";
	let seen = 0;
	for await (const line of createInterface(child.stdout)) {
		last = line;
		seen++;
		if (seen === lines) child.kill("SIGKILL");
	}
	if (child.signalCode === null && child.exitCode === null) await once(child, "exit");
	expect(child.signalCode).toBe("SIGKILL");
	return last;
}

it.each([1, 2, 7, 23])(
	"has every byte that a killed process acknowledged, and goes on from there (%i appends)",
	async (appends) => {
		const id = randomUUID();
		const acknowledged = Number(await killAfter(appends, "./support/appending-process.ts", directory, id));
		const store = createLocalUploadStore({ directory });
		const size = await store.size(id);
		expect(size).toBeGreaterThanOrEqual(acknowledged);
		const reached = await store.append(id, size as number, Readable.from([pattern(size as number, 50_000)]), {
			limit: Number.MAX_SAFE_INTEGER,
		});
		const found = await store.read(id);
		expect((await buffer(Readable.from(found?.bytes ?? []))).equals(pattern(0, reached))).toBe(true);
	},
);

it("hides a killed process's put, and removes what it left once that is untouched, but no running put", async () => {
	await killAfter(1, "./support/putting-process.ts", directory, "videos/a");
	const storage = createLocalObjectStorage({ directory, leftoverSeconds: 5 });
	expect(await storage.head("videos/a")).toBeNull();
	expect(await Array.fromAsync(storage.list("videos/"))).toEqual([]);
	const incoming = () => readdir(join(directory, "~incoming"));
	const [left] = await incoming();
	expect(await storage.removeLeftovers()).toBe(0);
	let finish = () => {};
	const put = storage.put(
		"videos/b",
		(async function* () {
			yield pattern(0, 1_500_000);
			await new Promise<void>((resolve) => {
				finish = resolve;
			});
		})(),
	);
	await expect.poll(incoming).toHaveLength(2);
	// A server whose clock is wrong by an hour does this: the time that it writes counts for nothing.
	await utimes(join(directory, "~incoming", left as string), Date.now() / 1000 + 3600, Date.now() / 1000 + 3600);
	await expect.poll(() => storage.removeLeftovers()).toBe(1);
	expect(await incoming()).toHaveLength(1);
	expect(await incoming()).not.toContain(left);
	finish();
	expect(await put).toEqual({ key: "videos/b", size: 1_500_000 });
	expect(await incoming()).toEqual([]);
});

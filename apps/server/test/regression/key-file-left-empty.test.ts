import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keepMasterKey, keepPrivateFile } from "../../src/data-directory/data-directory.ts";

let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-keys-"));
});
afterEach(() => rm(directory, { recursive: true }));

/** Keeps the key in a process that is killed as soon as it is about to write it. */
async function killedWhileWriting(): Promise<void> {
	const program = `
		import { open } from "node:fs/promises";
		const file = await open("/dev/null");
		Object.getPrototypeOf(file).writeFile = () => process.kill(process.pid, "SIGKILL");
		const { keepMasterKey } = await import(${JSON.stringify(new URL("../../src/data-directory/data-directory.ts", import.meta.url).href)});
		await keepMasterKey(${JSON.stringify(directory)});`;
	const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "inherit" });
	expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
}

it("makes the master key at the next start if the first one was killed while it wrote the key", async () => {
	await killedWhileWriting();
	const key = await keepMasterKey(directory);
	expect(key.byteLength).toBe(32);
	expect(await keepMasterKey(directory)).toEqual(key);
});

it("keeps one text of twenty starts at once, whole and private, and leaves nothing beside it", async () => {
	const texts = await Promise.all(
		Array.from({ length: 20 }, (_, index) => keepPrivateFile(directory, "some.key", async () => `text ${index}`)),
	);
	expect(new Set(texts).size).toBe(1);
	expect(await readdir(directory)).toEqual(["some.key"]);
	expect((await stat(join(directory, "some.key"))).mode & 0o777).toBe(0o600);
});

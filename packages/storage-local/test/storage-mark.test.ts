import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalStorageMark } from "@reelmill/storage-local";
import { afterEach, beforeEach, expect, it } from "vitest";

let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-mark-"));
});
afterEach(() => rm(directory, { recursive: true }));

it("has no mark until one is kept; of twenty that keep one at once all find the same", async () => {
	const at = join(directory, "not", "there", "yet");
	const mark = createLocalStorageMark({ directory: at });
	expect(await mark.read()).toBeNull();
	const kept = await Promise.all(
		Array.from({ length: 20 }, (_, index) => createLocalStorageMark({ directory: at }).keep(`mark ${index}`)),
	);
	expect(new Set(kept)).toEqual(new Set([await mark.read()]));
	expect(await readdir(at)).toEqual(["storage.id"]);
	expect(await mark.keep("a later one")).toBe(kept[0]);
});

import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { removeLeftovers } from "../../src/data-directory/leftovers.ts";

let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-leftovers-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it("removes archives, tries and drafts of killed servers once they are old enough, and nothing else", async () => {
	const passing = [
		`reelmill-outputs-${randomUUID()}.zip`,
		`~ready-${randomUUID()}`,
		`~now-${randomUUID()}`,
		`master.key.${randomUUID()}`,
	];
	const kept = ["master.key", "tenant.key", "notes.zip", `reelmill-outputs-${randomUUID()}.mp4`];
	for (const name of [...passing, ...kept]) await writeFile(join(directory, name), "x");
	await mkdir(join(directory, "uploads"));
	expect(await removeLeftovers(directory)).toEqual([]);
	expect((await removeLeftovers(directory, 0)).toSorted()).toEqual(passing.toSorted());
	expect((await readdir(directory)).toSorted()).toEqual([...kept, "uploads"].toSorted());
});

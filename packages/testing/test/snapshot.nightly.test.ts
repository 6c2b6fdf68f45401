import { chown, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openMigrated, prepareFolder } from "../src/service/snapshot.ts";

let directory: string;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-snapshot-"));
});
afterAll(() => rm(directory, { recursive: true }));

const open = async () => {
	const pglite = await openMigrated(directory);
	const { rows } = await pglite.query<{ count: number }>("select count(*)::int from reelmill.domains");
	await pglite.close();
	return rows[0]?.count;
};
const only = async () => {
	const names = await readdir(directory);
	expect(names).toHaveLength(1);
	return join(directory, names[0] as string);
};

it("makes the empty database once, also for several at once, and loads it from then on", async () => {
	expect(await Promise.all([open(), open()])).toEqual([0, 0]);
	const made = await stat(await only());
	expect(await open()).toBe(0);
	expect((await stat(await only())).mtimeMs).toBe(made.mtimeMs);
});

it("makes it anew if what was kept is damaged, and waits for no process that died while it did so", async () => {
	const file = await only();
	await writeFile(file, "cut off");
	await mkdir(`${file}.making`);
	const longAgo = new Date(Date.now() - 60_000);
	await utimes(`${file}.making`, longAgo, longAgo);
	expect(await open()).toBe(0);
	expect((await stat(await only())).size).toBeGreaterThan(1_000_000);
});

it("keeps nothing in a folder that can't be made, or that is no folder of its own", async () => {
	expect(await prepareFolder(join(directory, "new"))).toBe(true);
	expect(await prepareFolder("/dev/null/nowhere")).toBe(false);
	await symlink(directory, join(directory, "link"));
	expect(await prepareFolder(join(directory, "link"))).toBe(false);
	if (process.getuid?.() !== 0) return;
	await chown(join(directory, "new"), 12345, 12345);
	expect(await prepareFolder(join(directory, "new"))).toBe(false);
});

import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";

/** How long another process may take to make the snapshot before this one makes its own. */
const makingMilliseconds = 20_000;
const pollMilliseconds = 20;
/** PGlite's 128 MB would be touched at each start, and kept by each test file. */
const startParams = [...PGlite.defaultStartParams, "-c", "shared_buffers=4MB"];

/**
 * Opens a PGlite in memory that has the schema. The first call on a machine makes it, in seconds, and keeps a snapshot
 * in `directory`; later ones load that. Many processes may call it at once: one makes the snapshot, the others wait for
 * it. A snapshot that can't be kept or read is made anew each time.
 */
export async function openMigrated(directory: string): Promise<PGlite> {
	const file = join(directory, `${await keyOf()}.tar`);
	const making = `${file}.making`;
	await mkdir(directory, { recursive: true, mode: 0o700 }).catch(() => undefined);
	for (;;) {
		const found = await load(file);
		if (found !== null) return found;
		const isOurs = await mkdir(making).then(
			() => true,
			() => false,
		);
		if (isOurs) break;
		const { mtimeMs } = await stat(making).catch(() => ({ mtimeMs: Date.now() }));
		if (Date.now() - mtimeMs > makingMilliseconds || !(await isThere(directory))) break;
		await sleep(pollMilliseconds);
	}
	try {
		return await make(file);
	} finally {
		await rm(making, { recursive: true, force: true });
	}
}

const isThere = (path: string): Promise<boolean> =>
	stat(path).then(
		() => true,
		() => false,
	);

async function load(file: string): Promise<PGlite | null> {
	const bytes = await readFile(file).catch(() => null);
	if (bytes === null) return null;
	try {
		return await PGlite.create({ loadDataDir: new Blob([bytes]), startParams });
	} catch {
		await rm(file, { force: true });
		return null;
	}
}

async function make(file: string): Promise<PGlite> {
	// A small log and no templates leave a third of the bytes to load.
	const pglite = await PGlite.create({ initDbStartParams: ["--wal-segsize=1"], startParams });
	// Not imported above: a snapshot is loaded while the engine is.
	const [{ readMigrations }, { createPgliteDatabase }] = await Promise.all([
		import("@reelmill/engine"),
		import("@reelmill/postgres/pglite"),
	]);
	await createPgliteDatabase(pglite).migrate(await readMigrations());
	await pglite.exec("update pg_database set datistemplate = false");
	for (const name of ["template0", "template1"]) await pglite.exec(`drop database ${name}`);
	await pglite.exec("checkpoint");
	const dump = await pglite.dumpDataDir("none");
	const draft = `${file}.${randomUUID()}`;
	try {
		await writeFile(draft, new Uint8Array(await dump.arrayBuffer()), { mode: 0o600 });
		await rename(draft, file);
	} catch {
		await rm(draft, { force: true }).catch(() => undefined);
	}
	return pglite;
}

/** Another version of PGlite or of the schema has another snapshot. */
async function keyOf(): Promise<string> {
	const { resolve } = createRequire(import.meta.url);
	const folderOf = (name: string) => dirname(dirname(resolve(name)));
	const { version } = JSON.parse(await readFile(join(folderOf("@electric-sql/pglite"), "package.json"), "utf8")) as {
		version: string;
	};
	const migrations = join(folderOf("@reelmill/engine"), "migrations");
	const texts = await Promise.all(
		(await readdir(migrations)).sort().map(async (name) => [name, await readFile(join(migrations, name), "utf8")]),
	);
	const hash = createHash("sha256")
		.update(JSON.stringify([startParams, version, texts]))
		.digest("hex");
	return `pglite-${version}-${hash.slice(0, 16)}`;
}

import { createHash, randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";

/** How long another process may take to make the snapshot before this one makes its own. */
const makingMilliseconds = 20_000;
const pollMilliseconds = 20;
/** PGlite's 128 MB would be touched at each start, and kept by each test file. */
const startParams = [...PGlite.defaultStartParams, "-c", "shared_buffers=4MB"];

/**
 * Makes the folder, and returns whether it can be trusted: nobody else owns it. What lies in it is run.
 */
export async function prepareFolder(directory: string): Promise<boolean> {
	try {
		await mkdir(directory, { recursive: true, mode: 0o700 });
		const folder = await lstat(directory);
		return folder.isDirectory() && (process.getuid === undefined || folder.uid === process.getuid());
	} catch {
		return false;
	}
}

/**
 * Opens a PGlite in memory that has the schema. The first call on a machine makes it, in seconds, and keeps a snapshot
 * in `directory`; later ones load that. Many processes may call it at once: one makes the snapshot, the others wait for
 * it. Without a directory (null) it is made anew each time.
 */
export async function openMigrated(directory: string | null): Promise<PGlite> {
	if (directory === null) return make(null);
	const file = join(directory, `${await keyOf()}.tar`);
	const making = `${file}.making`;
	for (;;) {
		const found = await load(file);
		if (found !== null) return found;
		const isOurs = await mkdir(making).then(
			() => true,
			() => false,
		);
		if (isOurs) break;
		const { mtimeMs } = await stat(making).catch(() => ({ mtimeMs: Date.now() }));
		if (Date.now() - mtimeMs > makingMilliseconds) break;
		await sleep(pollMilliseconds);
	}
	try {
		return await make(file);
	} finally {
		await rm(making, { recursive: true, force: true });
	}
}

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

async function make(file: string | null): Promise<PGlite> {
	const pglite = await PGlite.create({ initDbStartParams: ["--wal-segsize=1"], startParams });
	// Not imported above: a snapshot is loaded while the engine is.
	const [{ readMigrations }, { createPgliteDatabase }] = await Promise.all([
		import("@reelmill/engine"),
		import("@reelmill/postgres/pglite"),
	]);
	await createPgliteDatabase(pglite).migrate(await readMigrations());
	if (file !== null) await keep(pglite, file);
	return pglite;
}

/** A small log and no templates leave a third of the bytes to load. */
async function keep(pglite: PGlite, file: string): Promise<void> {
	await pglite.exec("update pg_database set datistemplate = false");
	for (const name of ["template0", "template1"]) await pglite.exec(`drop database ${name}`);
	await pglite.exec("checkpoint");
	const dump = await pglite.dumpDataDir("none");
	const draft = `${file}.${randomUUID()}`;
	try {
		await writeFile(draft, new Uint8Array(await dump.arrayBuffer()), { mode: 0o600 });
		await rename(draft, file);
	} catch {
		await rm(draft, { force: true });
	}
}

/** Another version of PGlite or of the schema has another snapshot. */
async function keyOf(): Promise<string> {
	const { resolve } = createRequire(import.meta.url);
	const folderOf = (name: string) => dirname(dirname(resolve(name)));
	const { version } = JSON.parse(await readFile(join(folderOf("@electric-sql/pglite"), "package.json"), "utf8")) as {
		version: string;
	};
	const engine = folderOf("@reelmill/engine");
	const files = await Promise.all(
		["migrations", "schema"].map((folder) => readdir(join(engine, folder), { recursive: true, withFileTypes: true })),
	);
	const paths = files
		.flat()
		.filter((file) => file.isFile())
		.map((file) => join(file.parentPath, file.name))
		.sort();
	const texts = await Promise.all(paths.map(async (path) => [relative(engine, path), await readFile(path, "utf8")]));
	const hash = createHash("sha256")
		.update(JSON.stringify([startParams, version, texts]))
		.digest("hex");
	return `pglite-${version}-${hash.slice(0, 16)}`;
}

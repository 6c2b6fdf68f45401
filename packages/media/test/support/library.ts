import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { alone } from "./alone.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const library = join(root, "node_modules/.reelmill/library");

/** How many digests are kept of a shelf: that of this tree, and of those that one goes back to. */
const kept = 3;

const isThere = (path: string) =>
	stat(path).then(
		() => true,
		() => false,
	);

let ffmpeg: Promise<string> | undefined;
/** What decides over what is on a shelf: these files and folders, by their paths from the root, and ffmpeg. */
async function digestOf(paths: readonly string[]): Promise<string> {
	const digest = createHash("sha256");
	for (const path of paths) {
		const whole = join(root, path);
		const inside = (await stat(whole)).isDirectory()
			? (await readdir(whole, { recursive: true, withFileTypes: true }))
					.filter((entry) => entry.isFile())
					.map((entry) => join(entry.parentPath, entry.name))
					.sort()
			: [whole];
		for (const file of inside) digest.update(`${file.slice(root.length)}\0`).update(await readFile(file));
	}
	ffmpeg ??= run("ffmpeg", ["-version"]).then(({ stdout }) => stdout);
	return digest
		.update(await ffmpeg)
		.digest("hex")
		.slice(0, 16);
}

/** Opens a shelf of the library: gives its folder, and removes those of digests that are long gone. */
async function openShelf(name: string, deciding: readonly string[]): Promise<string> {
	const [shelves, digest] = [join(library, name), await digestOf(deciding)];
	await mkdir(join(shelves, digest), { recursive: true });
	await utimes(join(shelves, digest), new Date(), new Date());
	const used = await Promise.all(
		(await readdir(shelves)).map(async (one) => ({ one, at: (await stat(join(shelves, one))).mtimeMs })),
	);
	for (const { one } of used.sort((a, b) => b.at - a.at).slice(kept))
		await rm(join(shelves, one), { recursive: true, force: true });
	return join(shelves, digest);
}

/**
 * A shelf of what is made once for all tests, as long as neither these files nor ffmpeg change. Its function gives the
 * folder of a name, which `make` filled, in this or in an earlier run.
 */
export function shelf(name: string, deciding: readonly string[]) {
	let opened: Promise<string> | undefined;
	return async (what: string, make: (folder: string) => Promise<void>): Promise<string> => {
		opened ??= openShelf(name, deciding);
		const path = join(await opened, what);
		if (await isThere(path)) return path;
		return alone(path, async () => {
			if (await isThere(path)) return path;
			const unfinished = `${path}.unfinished`;
			await rm(unfinished, { recursive: true, force: true });
			await mkdir(unfinished, { recursive: true });
			await make(unfinished);
			await rename(unfinished, path);
			return path;
		});
	};
}

const sources = shelf("sources", []);

/** Puts at a path what ffmpeg makes of these arguments, which end before the path: of the library, if it is there. */
export async function madeBy(args: readonly string[], path: string): Promise<void> {
	const ending = /\.\w+$/.exec(path)?.[0] ?? "";
	const digest = createHash("sha256").update(JSON.stringify(args)).digest("hex").slice(0, 16);
	const folder = await sources(`${digest}${ending}`, async (folder) => {
		await run("ffmpeg", ["-v", "error", "-y", ...args, join(folder, `source${ending}`)]);
	});
	await copyFile(join(folder, `source${ending}`), path);
}

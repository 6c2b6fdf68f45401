import { existsSync, globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { root } from "../setup/paths.mjs";

const texts = (): string[] =>
	globSync("packages/console/dist/{page,page-reference}/**/*.{js,css,html,svg}", { cwd: root }).map((path) =>
		join(root, path),
	);
const isCompressed = (path: string): boolean => existsSync(`${path}.gz`);

/** A page that is built anew is not compressed. */
export const arePagesCompressed = (): boolean => texts().every(isCompressed);

/** Puts a `.br` and a `.gz` beside each text of the pages, so that a server compresses nothing while it answers. */
export async function compressPages(): Promise<void> {
	await Promise.all(
		texts()
			.filter((path) => !isCompressed(path))
			.map(compress),
	);
}

async function compress(path: string): Promise<void> {
	const bytes = await readFile(path);
	const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
	await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
	await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }));
}

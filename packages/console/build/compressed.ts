import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const worthIt = /\.(?:js|css|html|svg)$/;

/** Puts a `.br` and a `.gz` beside each text of the page, so that a server compresses nothing while it answers. */
export const compressed = (): Plugin => ({
	name: "compressed",
	apply: "build",
	async writeBundle({ dir = "" }, bundle) {
		for (const name of Object.keys(bundle)) {
			if (!worthIt.test(name)) continue;
			const bytes = await readFile(join(dir, name));
			const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
			await writeFile(join(dir, `${name}.br`), await promisify(brotliCompress)(bytes, { params }));
			await writeFile(join(dir, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
		}
	},
});

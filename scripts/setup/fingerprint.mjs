import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";

/**
 * Tells by a short text whether what is built of some sources is to be built again.
 * @param {string[]} sources files and folders, from the repository's root
 * @returns {string} another one as soon as a file of these is added, removed or changed
 */
export function fingerprintOf(sources) {
	const hash = createHash("sha256");
	for (const source of sources)
		for (const file of filesOf(source)) hash.update(file).update(readFileSync(join(root, file)));
	return hash.digest("hex");
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesOf(path) {
	if (!statSync(join(root, path)).isDirectory()) return [path];
	return readdirSync(join(root, path))
		.sort()
		.flatMap((name) => filesOf(`${path}/${name}`));
}

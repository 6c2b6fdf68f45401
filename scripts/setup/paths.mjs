import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Finds a program as a shell would.
 * @param {string} name a bare name, or a path
 * @returns {string | undefined}
 */
export function findProgram(name) {
	const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
	const candidates = name.includes("/") ? [name] : folders.map((folder) => join(folder, name));
	return candidates.find((candidate) => {
		try {
			accessSync(candidate, constants.X_OK);
			return statSync(candidate).isFile();
		} catch {
			return false;
		}
	});
}

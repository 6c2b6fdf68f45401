import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";

const usualFolders = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin", "/snap/bin"];

const isExecutable = (path: string): Promise<boolean> =>
	access(path, constants.X_OK).then(
		() => true,
		() => false,
	);

/**
 * Returns the absolute path of a program; `null` if it can't be found. A name is searched in `searchPath` (in the form
 * of PATH) and then in the usual folders.
 */
export async function findProgram(name: string, searchPath = ""): Promise<string | null> {
	if (name.includes("/")) return (await isExecutable(name)) ? resolve(name) : null;
	for (const folder of [...searchPath.split(delimiter).filter(isAbsolute), ...usualFolders]) {
		if (await isExecutable(join(folder, name))) return join(folder, name);
	}
	return null;
}

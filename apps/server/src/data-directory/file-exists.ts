import { access } from "node:fs/promises";

/** Returns whether a file or folder exists and this process may look at it. */
export const fileExists = (path: string): Promise<boolean> =>
	access(path).then(
		() => true,
		() => false,
	);

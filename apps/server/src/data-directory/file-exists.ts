import { access } from "node:fs/promises";

/** Whether a file or folder is there and can be looked at. */
export const fileExists = (path: string): Promise<boolean> =>
	access(path).then(
		() => true,
		() => false,
	);

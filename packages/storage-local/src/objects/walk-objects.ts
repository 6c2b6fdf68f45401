import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { SurveyedObject } from "@reelmill/engine/ports";
import { fileAt, isMissing } from "../disk/read-bytes.ts";

/** No key contains a `~`. Unfinished files share the file system with objects, but never a name. */
export const incomingName = "~incoming";

/**
 * Lists the objects under `prefix` behind `after`, in order of keys. A directory counts as its name with a slash, which
 * is where its keys stand in that order. Directories that lie wholly before `after` aren't read.
 */
export async function* walkObjects(root: string, prefix: string, after = ""): AsyncGenerator<SurveyedObject> {
	const entries = await readdir(join(root, prefix), { withFileTypes: true }).catch((error: unknown) => {
		if (isMissing(error)) return [];
		throw error;
	});
	const names = entries
		.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
		.sort((one, other) => (one < other ? -1 : 1));
	for (const name of names) {
		const key = `${prefix}${name}`;
		if (key === `${incomingName}/` || (key <= after && !after.startsWith(key))) continue;
		if (name.endsWith("/")) yield* walkObjects(root, key, after);
		else if (key > after) {
			const found = await fileAt(join(root, key));
			if (found) yield { key, size: Number(found.size), modifiedAt: new Date(Number(found.mtimeMs)) };
		}
	}
}

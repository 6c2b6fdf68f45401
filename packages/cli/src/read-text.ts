import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { OutcomeError } from "./failure.ts";

/**
 * Reads a file that somebody wrote, without a byte order mark.
 * @throws {OutcomeError} in a plain sentence, when there is none, or when it is not in UTF-8
 */
export async function readText(path: string): Promise<string> {
	const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") throw new OutcomeError("ENOENT", `There is no file ${path}.`);
		throw error;
	});
	if (!isUtf8(bytes)) throw new OutcomeError("not_utf8", `${path} is not in UTF-8: save it so, and try again.`);
	return new TextDecoder().decode(bytes);
}

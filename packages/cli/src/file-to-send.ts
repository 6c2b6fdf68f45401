import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { OutcomeError } from "./failure.ts";
import { bytes } from "./text.ts";

/** A file that can be sent, and what tells it from other files and from itself after a change. */
export type FileToSend = { path: string; size: number; modified: number };

/**
 * Looks at a file before anything is created for it.
 * @throws {OutcomeError} in a plain sentence, when it is missing, a folder, empty, or may not be read
 */
export async function fileToSend(path: string): Promise<FileToSend> {
	let found: Stats;
	try {
		found = await stat(path);
		await access(path, constants.R_OK);
	} catch (error) {
		const { code = "failed", message } = error as NodeJS.ErrnoException;
		const sentences: Record<string, string> = {
			ENOENT: `There is no file ${path}.`,
			ENOTDIR: `There is no file ${path}.`,
			EACCES: `You may not read the file ${path}.`,
		};
		throw new OutcomeError(code, sentences[code] ?? `The file ${path} can't be read: ${message}`);
	}
	if (found.isDirectory())
		throw new OutcomeError("EISDIR", `${path} is a folder: reelmill import ${path} uploads the videos in it.`);
	if (!found.isFile()) throw new OutcomeError("not_a_file", `${path} is no file.`);
	if (found.size === 0) throw new OutcomeError("empty", `${path} is empty.`);
	return { path: resolve(path), size: found.size, modified: found.mtimeMs };
}

/**
 * Holds a file's size to the most bytes that the service takes.
 * @throws {OutcomeError} in a plain sentence, when it is larger
 */
export function mustFit(path: string, size: number, mostBytes: number): void {
	if (size > mostBytes)
		throw new OutcomeError("too_large", `${path} has ${bytes(size)}, and at most ${bytes(mostBytes)} may be uploaded.`);
}

/** Returns a short name for a key, from which the key can't be told. */
export const keyName = (key: string): string => createHash("sha256").update(key).digest("hex").slice(0, 16);

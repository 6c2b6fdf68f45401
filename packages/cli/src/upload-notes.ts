import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CreatedVideo } from "@reelmill/node";
import type { CliIo } from "./io.ts";
import { userDirectory, writePrivateFile } from "./profiles.ts";

/** What continues an upload in a later run: the answer that created it, with its token, and its own address. */
export type UploadNote = { created: CreatedVideo; uploadUrl?: string };

/** Keeps the note of one upload, in a file that only this user can read. */
export type UploadNotes = {
	/** Returns the note; undefined if there is none. */
	read(): UploadNote | undefined;
	/** Keeps the note in the place of an earlier one. */
	write(note: UploadNote): void;
	/** Forgets the note, if there is one. */
	remove(): void;
};

/**
 * Returns the place of the note of one upload: `what` is all that tells it from others. Undefined if the environment
 * names no home, so that nothing can be kept.
 */
export function uploadNotes(io: Pick<CliIo, "environment">, what: object): UploadNotes | undefined {
	const directory = userDirectory(io, "state");
	if (directory === undefined) return undefined;
	const name = createHash("sha256").update(JSON.stringify(what)).digest("hex").slice(0, 32);
	const path = join(directory, "uploads", `${name}.json`);
	return {
		read() {
			try {
				return JSON.parse(readFileSync(path, "utf8")) as UploadNote;
			} catch {
				return undefined;
			}
		},
		write: (note) => writePrivateFile(path, JSON.stringify(note)),
		remove: () => rmSync(path, { force: true }),
	};
}

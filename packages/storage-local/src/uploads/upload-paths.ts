import { join } from "node:path";
import { checkId } from "@reelmill/engine/ports";

/** The paths of an upload's files. */
export type UploadPaths = {
	/** The upload's directory. It appears and disappears in one step, with everything in it. */
	readonly directory: string;
	readonly bytes: string;
	/** How many of the bytes were synced. */
	readonly record: string;
	/** Where the directory of a discarded upload is moved until it is removed. */
	readonly gone: string;
	/** Bytes without a record, as the first version stored uploads. */
	readonly bareFile: string;
	/** The directory that is being made for such bytes. */
	readonly converting: string;
};

/**
 * Returns the paths of an upload.
 *
 * @throws {TypeError} when `id` isn't an id.
 */
export function uploadPaths(root: string, id: string): UploadPaths {
	checkId(id);
	const bareFile = join(root, id);
	return { ...filesIn(`${bareFile}.upload`), gone: `${bareFile}.gone`, bareFile, converting: `${bareFile}.adopting` };
}

export const filesIn = (directory: string): Pick<UploadPaths, "directory" | "bytes" | "record"> => ({
	directory,
	bytes: join(directory, "bytes"),
	record: join(directory, "synced"),
});

/** Returns the id of the upload that a name in the root belongs to; undefined for any other name. */
export const idOf = (name: string): string | undefined =>
	/^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.(?:upload|gone|adopting))?$/.exec(name)?.[1];

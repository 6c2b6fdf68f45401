import { join } from "node:path";
import { checkId } from "@reelmill/engine/ports";

/** Where the files of an upload are. */
export type UploadPaths = {
	/** Its directory, which comes and goes in one step, with all that is in it. */
	readonly directory: string;
	readonly bytes: string;
	/** How many of the bytes were synced. */
	readonly record: string;
	/** What becomes of the directory of a discarded upload, until it is removed. */
	readonly gone: string;
	/** Bytes alone, without a record, as the first version kept uploads. */
	readonly former: string;
	/** A directory that is being made for such bytes. */
	readonly adopting: string;
};

/** Throws a TypeError for what is no id. */
export function uploadPaths(root: string, id: string): UploadPaths {
	checkId(id);
	const former = join(root, id);
	return { ...filesIn(`${former}.upload`), gone: `${former}.gone`, former, adopting: `${former}.adopting` };
}

export const filesIn = (directory: string): Pick<UploadPaths, "directory" | "bytes" | "record"> => ({
	directory,
	bytes: join(directory, "bytes"),
	record: join(directory, "synced"),
});

/** The id of the upload that a name in the root belongs to; undefined for any other name. */
export const idOf = (name: string): string | undefined =>
	/^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.(?:upload|gone|adopting))?$/.exec(name)?.[1];

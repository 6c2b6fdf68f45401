/**
 * Why a file was not added:
 * - `not_a_video`: its type is not one that `accept` names
 * - `empty_file`: it has no bytes
 * - `file_too_large`: it has more than `maxBytes`
 * - `too_many_files`: the queue has `maxFiles` already
 * - `duplicate`: the queue has the same file already
 */
export type Refusal = "not_a_video" | "empty_file" | "file_too_large" | "too_many_files" | "duplicate";

/** Which files a queue takes. */
export type FileRules = {
	/** Types as the `accept` of an `<input>` has them (default: `video/*`). */
	accept?: string;
	/** The largest file in bytes (default: any size). */
	maxBytes?: number;
	/** How many files the queue takes (default: any number). */
	maxFiles?: number;
};

/** Says why a file is not added; null if it is. `others` are the files that the queue has. */
export function refusalOf(
	file: File,
	others: readonly File[],
	{ accept = "video/*", maxBytes = Number.POSITIVE_INFINITY, maxFiles = Number.POSITIVE_INFINITY }: FileRules,
): Refusal | null {
	if (others.some((other) => isSame(file, other))) return "duplicate";
	if (!isAccepted(file, accept)) return "not_a_video";
	if (file.size === 0) return "empty_file";
	if (file.size > maxBytes) return "file_too_large";
	return others.length >= maxFiles ? "too_many_files" : null;
}

export const isSame = (a: File, b: File): boolean =>
	a === b || (a.name === b.name && a.size === b.size && a.lastModified === b.lastModified);

/** Endings of videos whose type some systems don't know, so that the browser gives the file none. */
const videoEndings = /\.(?:mkv|mov|mp4|m4v|webm|avi|mpe?g|ts|mts|m2ts|ogv|flv|wmv|asf|mxf|dv|3gp|3g2)$/i;

function isAccepted({ name, type }: File, accept: string): boolean {
	const wanted = accept.split(",").map((each) => each.trim().toLowerCase());
	return wanted.some((each) => {
		if (each === "" || each === "*/*") return true;
		if (each.startsWith(".")) return name.toLowerCase().endsWith(each);
		if (each.endsWith("/*")) {
			if (type.toLowerCase().startsWith(each.slice(0, -1))) return true;
			return type === "" && each === "video/*" && videoEndings.test(name);
		}
		return type.toLowerCase() === each;
	});
}

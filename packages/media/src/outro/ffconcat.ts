/** One file of a list, and after how many seconds the next file begins (default: after the file's own length). */
export type ConcatEntry = { readonly path: string; readonly seconds?: number };

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;

/** Returns the text of a list for ffmpeg's concat demuxer. */
export const ffconcat = (entries: readonly ConcatEntry[]): string =>
	[
		"ffconcat version 1.0",
		...entries.flatMap(({ path, seconds }) => [
			`file ${quoted(path)}`,
			...(seconds === undefined ? [] : [`duration ${seconds.toFixed(6)}`]),
		]),
		"",
	].join("\n");

/** Returns the input arguments of a list with absolute paths. */
export const concatInput = (list: string): string[] => ["-f", "concat", "-safe", "0", "-auto_convert", "0", "-i", list];

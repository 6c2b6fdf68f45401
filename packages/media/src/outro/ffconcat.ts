/** One file of a list, and how many seconds later the next begins; after its own length where that isn't told. */
export type ConcatEntry = { readonly path: string; readonly seconds?: number };

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;

/** The text of a list for ffmpeg's concat demuxer. */
export const ffconcat = (entries: readonly ConcatEntry[]): string =>
	[
		"ffconcat version 1.0",
		...entries.flatMap(({ path, seconds }) => [
			`file ${quoted(path)}`,
			...(seconds === undefined ? [] : [`duration ${seconds.toFixed(6)}`]),
		]),
		"",
	].join("\n");

/** Input arguments of a list, whose paths are absolute. */
export const concatInput = (list: string): string[] => ["-f", "concat", "-safe", "0", "-auto_convert", "0", "-i", list];

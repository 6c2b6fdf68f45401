import { join } from "node:path";
import type { Run } from "../run/programs.ts";
import { runAll } from "../run/run-both.ts";

/** How much is decoded before a seam: the group of pictures that ends there. */
const secondsBefore = 2;
/** How much is decoded after a seam: the beginning of the next chunk, which shows that it follows. */
const secondsAfter = 0.5;

/**
 * Options before each input. Faults of a stream show when it is parsed, so H.264's deblocking is left out: it comes
 * later and changes pictures that nobody sees here. More threads would only cost a decoder work while others use the
 * cores.
 */
const decoder = (path: string): string[] => [
	...["-threads", "1"],
	...(path.endsWith(".mp4") ? ["-skip_loop_filter", "all"] : []),
];

/**
 * Decodes MP4s and JPEGs in one process on one core. If an input has a `window`, only that is decoded.
 * @param reads the only files and folders that ffmpeg may read
 * @throws {Error} when a decoder complains
 */
export async function decodeQuietly(
	{ programs, signal }: Run,
	inputs: readonly { readonly path: string; readonly window?: readonly string[] }[],
	reads: readonly string[],
): Promise<void> {
	const args = inputs.flatMap(({ path, window = [] }) => [
		...[...decoder(path), ...window],
		...["-f", path.endsWith(".jpg") ? "image2" : "mov", "-i", path],
	]);
	const maps = inputs.flatMap((_, n) => ["-map", String(n)]);
	const decode = ["-nostdin", "-v", "error", "-xerror", ...args, ...maps, "-f", "null", "-"];
	const { stderr } = await programs.run("ffmpeg", decode, { signal, reads });
	if (stderr.trim() !== "") throw new Error(`What was made does not decode: ${stderr.trim()}`);
}

/** Makes one input of numbered pictures, however many they are. */
export const oneInputEach = (files: readonly string[]): string[] => [
	...new Set(files.map((file) => file.replace(/\/\d{5}\.jpg$/, "/%05d.jpg"))),
];

/**
 * Decodes files of a directory as {@link decodeQuietly} does, each track in a process of its own.
 * @param seams the seconds at which the tracks were joined of chunks. Each chunk was decoded before, so tracks are then
 * decoded only around the seams.
 */
export async function decodeFiles(
	run: Run & { readonly directory: string },
	files: readonly string[],
	seams: readonly number[] = [],
): Promise<void> {
	const { directory } = run;
	const isTrack = (file: string) => /^media\/.*\.mp4$/.test(file);
	const inputsOf = (file: string) => {
		const path = join(directory, file);
		if (seams.length === 0 || !isTrack(file)) return [{ path }];
		return seams.map((seam) => {
			const from = Math.max(0, seam - secondsBefore);
			return { path, window: ["-ss", from.toFixed(3), "-t", (seam - from + secondsAfter).toFixed(3)] };
		});
	};
	// A track takes long and uses one core, so each has a process of its own. All other files share one process, since
	// each process takes its time to start.
	const long = files.filter(isTrack);
	const short = oneInputEach(files.filter((file) => !isTrack(file)));
	const groups = [...long.map((file) => [file]), ...(short.length > 0 ? [short] : [])];
	await runAll(
		groups.map(
			(group) => (signal) => decodeQuietly({ programs: run.programs, signal }, group.flatMap(inputsOf), [directory]),
		),
		run.signal,
	);
}

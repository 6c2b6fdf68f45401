import { join } from "node:path";
import type { Programs, RunOptions } from "../run/programs.ts";
import { together } from "../run/run-both.ts";

/**
 * Decodes MP4s and pictures as {@link decodeQuietly} does, each track at once with all else. Tracks that were joined at
 * `seams`, in seconds, of chunks that were each decoded before are decoded around these alone.
 */
export async function decodeFiles(
	programs: Programs,
	{
		directory,
		files,
		seams = [],
		signal,
	}: {
		readonly directory: string;
		readonly files: readonly string[];
		readonly seams?: readonly number[];
		readonly signal?: AbortSignal | undefined;
	},
): Promise<void> {
	const isTrack = (file: string) => /^media\/.*\.mp4$/.test(file);
	const inputsOf = (file: string) => {
		const path = join(directory, file);
		if (seams.length === 0 || !isTrack(file)) return [{ path }];
		return seams.map((seam) => ({
			path,
			window: ["-ss", Math.max(0, seam - secondsBefore).toFixed(3), "-t", String(secondsBefore + secondsAfter)],
		}));
	};
	// A process each for what takes long, since each takes one core; and one for all that doesn't, since each takes its
	// time to start.
	const long = files.filter(isTrack);
	// Numbered pictures are one input, however many they are.
	const short = [
		...new Set(files.filter((file) => !isTrack(file)).map((file) => file.replace(/\/\d{5}\.jpg$/, "/%05d.jpg"))),
	];
	await together(
		[...long.map((file) => [file]), ...(short.length > 0 ? [short] : [])].map(
			(group) => (either) => decodeQuietly(programs, group.flatMap(inputsOf), { signal: either, reads: [directory] }),
		),
		signal,
	);
}

/**
 * Around a seam: the group of pictures before it, and of the next one, which was decoded as the beginning of its chunk,
 * what shows that it follows.
 */
const secondsBefore = 2;
const secondsAfter = 0.5;

/**
 * For each input. What is wrong with a stream shows where it is parsed: H.264's deblocking comes after that, and
 * changes pictures which nobody sees here. Threads bring a decoder nothing but work while others have the cores.
 */
const decoder = (path: string): string[] => [
	"-threads",
	"1",
	...(path.endsWith(".mp4") ? ["-skip_loop_filter", "all"] : []),
];

/**
 * Decodes files, MP4s and JPEGs, on one core, and of each only a `window` where one is given. Rejects with an Error
 * where the decoders have a word to say. It sees what a player's decoder sees, without the last step, deblocking, for
 * H.264.
 */
export async function decodeQuietly(
	programs: Programs,
	inputs: readonly { readonly path: string; readonly window?: readonly string[] }[],
	options: Pick<RunOptions, "signal" | "reads">,
): Promise<void> {
	const args = inputs.flatMap(({ path, window = [] }) => [
		...decoder(path),
		...window,
		"-f",
		path.endsWith(".jpg") ? "image2" : "mov",
		"-i",
		path,
	]);
	const decode = [
		"-nostdin",
		"-v",
		"error",
		"-xerror",
		...args,
		...inputs.flatMap((_, n) => ["-map", String(n)]),
		"-f",
		"null",
		"-",
	];
	const { stderr } = await programs.run("ffmpeg", decode, options);
	if (stderr.trim() !== "") throw new Error(`What was made does not decode: ${stderr.trim()}`);
}

import { wanted } from "../wanted.ts";
import { createRandom, createZipf } from "./chance.ts";
import { createSliceCache } from "./slice-cache.ts";

export const catalogue = 20_000;
export const filmSeconds = 180;
export const sliceBytes = 2 ** 20;
export const edges = 10;
/** The average of h264_720 with its sound, as docs/guides/sizing.md has it. */
export const bytesPerSecond = ((1.2 + 0.13) * 1e6) / 8;
const daySeconds = 86_400;
export const GB = 1e9;

/**
 * Simulates a million views a day of 20,000 videos at ten edges, and shows which share of the bytes to viewers never
 * touches the origin, by the size of each edge's cache. A video is chosen by Zipf's law. A view begins at the beginning
 * and ends evenly between 0 and 60 % of the film, so that 30 % of a film is watched. Slices of 1 MiB live for a day, and are
 * then fetched again, or revalidated, which costs no bytes.
 * The second day is counted. `shield` is a cache of the same size between the edges and the origin.
 */
export async function edgeCache(views = 1_000_000): Promise<void> {
	const film = Math.ceil((filmSeconds * bytesPerSecond) / sliceBytes);
	console.log(
		"| After a day | Zipf's exponent | Cache of each, GB | Ten edges | Ten edges, a shield | Each video at one edge |",
	);
	console.log("|---|---|---|---|---|---|");
	for (const [after, lifeSeconds] of lives)
		for (const [exponent, size] of cases) {
			const shares = simulate({
				videos: catalogue,
				views,
				exponent,
				most: Math.floor((size * GB) / sliceBytes),
				film,
				lifeSeconds,
			});
			console.log(
				`| ${after} | ${exponent} | ${size} | ${shares.map((share) => `${(share * 100).toFixed(1)} %`).join(" | ")} |`,
			);
		}
	console.log(`wanted: ${wanted["edge-cache"]}`);
}

const lives = [
	["fetched again", daySeconds],
	["revalidated", Number.POSITIVE_INFINITY],
] as const;
const cases = [0.8, 1].flatMap((exponent) => [50, 200, 1000].map((size) => [exponent, size] as const));

type Trace = {
	readonly videos: number;
	readonly lifeSeconds: number;
	readonly views: number;
	readonly exponent: number;
	readonly most: number;
	readonly film: number;
};

/** Returns the shares of bytes that never touch the origin: by edges alone, with a shield, and with a home for each video. */
export function simulate({ videos, views, exponent, most, film, lifeSeconds }: Trace): [number, number, number] {
	const random = createRandom(1);
	const choose = createZipf(videos, exponent);
	const open = () => createSliceCache(videos * film, most, lifeSeconds);
	const [apart, homes, shield] = [Array.from({ length: edges }, open), Array.from({ length: edges }, open), open()];
	const fetched = { apart: 0, shield: 0, homes: 0 };
	let sent = 0;
	for (let view = 0; view < 2 * views; view++) {
		const second = (view / views) * daySeconds;
		const counts = view >= views ? 1 : 0;
		const video = choose(random());
		const bytes = random() * 0.6 * filmSeconds * bytesPerSecond;
		const edge = Math.floor(random() * edges);
		sent += counts * bytes;
		for (let index = 0; index * sliceBytes < bytes; index++) {
			const slice = video * film + index;
			if (!apart[edge]?.use(slice, second)) {
				fetched.apart += counts;
				if (!shield.use(slice, second)) fetched.shield += counts;
			}
			if (!homes[video % edges]?.use(slice, second)) fetched.homes += counts;
		}
	}
	const share = (slices: number) => 1 - (slices * sliceBytes) / sent;
	return [share(fetched.apart), share(fetched.shield), share(fetched.homes)];
}

import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { appendOutro, makeMezzanine, processVideo } from "@reelmill/media";
import { expect } from "vitest";
import { decodes, type Folder, job, program, streamsOf, tools } from "./sources.ts";

export type Kind = {
	readonly size?: string;
	readonly rate?: string;
	readonly seconds?: number;
	readonly sound?: boolean;
};
type Tail = Kind & { readonly source?: string };
/** Calls a function once for each argument: what it makes is only read. */
function once<Argument, Made>(make: (argument: Argument) => Promise<Made>): (argument: Argument) => Promise<Made> {
	const before = new Map<string, Promise<Made>>();
	return (argument) => {
		const key = JSON.stringify(argument);
		const found = before.get(key) ?? make(argument);
		before.set(key, found);
		return found;
	};
}

/** Size and hash of each packet's bytes, in the order of decoding. */
export const packets = async (path: string, stream: string): Promise<string[]> =>
	(
		await program(
			"ffprobe",
			"-select_streams",
			stream,
			"-show_packets",
			"-show_data_hash",
			"sha256",
			"-show_entries",
			"packet=size,data_hash",
			"-of",
			"csv=p=0",
			path,
		)
	)
		.trim()
		.split("\n");
const times = async (path: string, stream: string): Promise<number[]> =>
	(await program("ffprobe", "-select_streams", stream, "-show_entries", "packet=pts_time", "-of", "csv=p=0", path))
		.trim()
		.split("\n")
		.map(Number.parseFloat)
		// Beside a packet whose samples are hidden stands a line that says so.
		.filter((time) => !Number.isNaN(time))
		.sort((a, b) => a - b);
export const lengths = async (path: string) => (await streamsOf(path)).map(({ duration }) => Number(duration));

/** Videos and outros of a test file, each made once, and what is expected of them when they are joined. */
export function openOutros(folder: Folder) {
	let made = 0;
	const mezzanine = once(async ({ source: given, ...kind }: Tail): Promise<string> => {
		const directory = folder.outputs();
		const source = given ?? (await folder.source(`outro-${++made}.mp4`, { seconds: 1.5, ...kind }));
		await makeMezzanine({ source, directory, tools, job: { limits: { max_duration_seconds: 60 } } });
		return join(directory, "mezzanine.mp4");
	});
	const processed = once(async (kind: Kind): Promise<string> => {
		const directory = folder.outputs();
		await processVideo({
			source: await folder.source(`video-${++made}.mp4`, kind),
			directory,
			tools,
			job: job(["h264_720"], { hls: true, og_thumbnail: false }),
		});
		return directory;
	});
	/** A processed video in a folder of its own; `plain` is its web.mp4 as it was. */
	async function video(kind: Kind = {}): Promise<{ directory: string; web: string; plain: string }> {
		const [before, directory] = [await processed(kind), folder.outputs()];
		await cp(before, directory, { recursive: true });
		return { directory, web: join(directory, "web.mp4"), plain: join(before, "web.mp4") };
	}
	async function expectJoined(main: Kind, outro: Tail) {
		const { directory, web, plain } = await video(main);
		const tail = await mezzanine(outro);
		const before = (await readdir(directory)).sort();
		expect(await appendOutro({ directory, outro: tail, tools })).toEqual({ whole: false });
		expect((await readdir(directory)).sort()).toEqual(before);
		await decodes(web);
		const [pictures, old] = [await packets(web, "v"), await packets(plain, "v")];
		expect(pictures.length).toBeGreaterThan(old.length);
		expect(pictures.slice(0, old.length)).toEqual(old);
		const [[whole = 0, sound = 0], [first = 0], [second = 0]] = [
			await lengths(web),
			await lengths(plain),
			await lengths(tail),
		];
		expect(Math.abs(whole - first - second)).toBeLessThan(0.1);
		expect(Math.abs(sound - whole)).toBeLessThan(0.05);
		const [a, b] = [await times(web, "v"), await times(web, "a")];
		// Each picture and its sound are shown when they were before.
		expect(a.slice(0, old.length)).toEqual(await times(plain, "v"));
		expect(b[0]).toBeCloseTo((await times(plain, "a"))[0] ?? 0, 3);
		const gaps = (moments: number[]) => moments.slice(1).map((moment, n) => moment - (moments[n] ?? 0));
		const frame = first / old.length;
		expect(Math.max(...gaps(a))).toBeLessThan(frame * 1.1);
		expect(Math.min(...gaps(a))).toBeGreaterThan(frame * 0.9);
		for (const gap of gaps(b)) expect(Math.abs(gap - 1024 / 48_000)).toBeLessThan(0.002);
		return { web, plain, tail, first };
	}

	return { mezzanine, video, expectJoined };
}

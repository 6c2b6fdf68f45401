import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type EncodeProgress, type Processed, processVideo, type SourceProbe } from "../../src/index.ts";
import { madeBy, shelf } from "./library.ts";
import { clip, everything, job, lavfi, tools } from "./sources.ts";

type Recipe = {
	/** The arguments by which ffmpeg makes the source (default: the bundled clip is the source). */
	readonly source?: readonly string[];
	readonly renditions: readonly string[];
	/** The one cue of its transcript (default: it has none). */
	readonly words?: string;
	/** Whether the encoders are at their fastest, because nothing that is looked at depends on their settings. */
	readonly fast?: boolean;
};

const x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];

const recipes = {
	/** The real clip, 7.6 s of 720x404. */
	"the bundled clip": { renditions: ["h264_720", "h264_1080", "av1_720", "av1_1080"], fast: true },
	/** Two sizes in both codecs: 2.6 s at 10 pictures a second, which are 5 of the source, so that the last segment is a short one; stereo. */
	"the whole ladder": {
		source: [...lavfi("testsrc2=size=1920x1080:rate=5:duration=2.6", "sine=duration=2.6"), ...x264, "-ac", "2"],
		renditions: ["h264_720", "h264_1080", "av1_720", "av1_1080"],
		words: "Words that were spoken",
		fast: true,
	},
	/** 3 s of 160x90 in both codecs, mono. */
	"a small clip": {
		source: [...lavfi("testsrc2=size=160x90:rate=30000/1001:duration=3", "sine=duration=3"), ...x264],
		renditions: ["h264_720", "av1_720"],
	},
} satisfies Record<string, Recipe>;

const outputs = shelf("outputs", [
	"packages/media/src",
	"packages/contracts/src/containers.ts",
	"packages/contracts/src/warnings.ts",
	"packages/media/test/support/made.ts",
	"packages/media/test/support/sources.ts",
	"examples/demo/assets/clip.mp4",
]);

export type Made = Processed & {
	/** Where the outputs are. A test that changes them copies them first. */
	readonly directory: string;
	readonly source: string;
	readonly progress: readonly number[];
	/** What the last progress told of the encodes. */
	readonly encodes: readonly EncodeProgress[];
	readonly probes: readonly SourceProbe[];
};

/**
 * What a job makes of the source of a recipe, with every output. One encode serves all tests that only look at what was
 * made: as long as media's sources stay what they are, also those of later runs.
 */
export async function made(name: keyof typeof recipes): Promise<Made> {
	const recipe: Recipe = recipes[name];
	const sourceIn = (folder: string) => (recipe.source === undefined ? clip : join(folder, "source.mp4"));
	const folder = await outputs(name.replaceAll(" ", "-"), async (folder) => {
		const source = sourceIn(folder);
		if (recipe.source !== undefined) await madeBy(recipe.source, source);
		const { plan, limits } = job([...recipe.renditions], everything);
		const cue = { startSeconds: 0.5, endSeconds: 2.5, text: recipe.words ?? "" };
		const [progress, probes]: [number[], SourceProbe[]] = [[], []];
		let encodes: readonly EncodeProgress[] = [];
		const processed = await processVideo({
			...{ source, directory: join(folder, "outputs"), tools },
			job: { plan: { ...plan, transcript: recipe.words !== undefined }, limits, ...(recipe.fast && { speed: "fast" }) },
			onProgress: (percent, begun) => {
				progress.push(percent);
				encodes = begun;
			},
			onProbe: (probe) => probes.push(probe),
			transcriber: {
				name: "a listener",
				transcribe: async () => ({ cues: [cue], language: "en", confidence: null }),
			},
		});
		await writeFile(join(folder, "made.json"), JSON.stringify({ ...processed, progress, encodes, probes }));
	});
	const told = JSON.parse(await readFile(join(folder, "made.json"), "utf8"));
	return { ...told, directory: join(folder, "outputs"), source: sourceIn(folder) };
}

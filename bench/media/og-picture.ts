import { mkdir, mkdtempDisposable, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { processVideo } from "@reelmill/media";
import { tools } from "./job.ts";
import { ffmpeg } from "./measure.ts";

const clip = fileURLToPath(new URL("../../examples/demo/assets/clip.mp4", import.meta.url));

/** What is made of each clip beside itself: what og.jpg must not show is in its first seconds. */
const spoils: Readonly<Record<string, string>> = {
	"as it is": "null",
	"in from black": "fade=in:st=0:d=4",
	"in from white": "fade=in:st=0:d=4:color=white",
	"out to black": "fade=out:st=2:d=3",
	"black first": "drawbox=t=fill:color=black:enable='lt(t,3)'",
	"a page first": "drawbox=t=fill:color=white:enable='lt(t,3)',drawbox=x=60:y=120:w=200:h=12:t=fill:enable='lt(t,3)'",
	"blurred first": "boxblur=8:2:enable='lt(t,3)'",
	"noisy first": "noise=alls=100:allf=t:enable='lt(t,3)'",
	"dark first": "lutyuv=y=16+(val-16)/6:enable='lt(t,3)'",
	"too bright first": "lutyuv=y='min(235,val+120)':enable='lt(t,3)'",
	"white flashes": "drawbox=t=fill:color=white:enable='lt(mod(t,2),0.5)'",
	"moved first": "tmix=frames=12:enable='lt(t,3)'",
};

const endings = [".mp4", ".mov", ".avi", ".webm", ".mkv", ".mpg", ".ogv"];
const job = {
	plan: {
		renditions: ["h264_720"],
		outputs: { hls: false, dash: false, mp4_fallback: false, og_thumbnail: true },
	},
	limits: { max_duration_seconds: 900 },
};

/** Returns the clips of the folder that REELMILL_BENCH_CLIPS names; the bundled one without it. */
async function listClips(): Promise<string[]> {
	const folder = process.env["REELMILL_BENCH_CLIPS"];
	if (folder === undefined) return [clip];
	const names = (await readdir(folder)).filter((name) => endings.includes(extname(name).toLowerCase()));
	return names.sort().map((name) => join(folder, name));
}

/**
 * Makes a contact sheet of the og.jpg of each clip, as it is and spoiled in each way, for somebody to look at. A row is
 * a clip, a column a way.
 */
export async function ogPicture(): Promise<void> {
	await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-bench-"));
	const sheet = join(tmpdir(), "og-picture.png");
	const clips = await listClips();
	let made = 0;
	for (const path of clips) {
		for (const [name, spoil] of Object.entries(spoils)) {
			const source = join(folder.path, "source.mp4");
			const filters = `scale=480:-2,setsar=1,fps=24,format=yuv420p,${spoil}`;
			const encoder = ["-an", "-t", "20", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "16"];
			await ffmpeg("-i", path, "-vf", filters, ...encoder, source);
			const directory = join(folder.path, "outputs");
			const { report } = await processVideo({ source, directory, tools, job });
			const decisions = report.decisions as { about: string; decision: string }[];
			console.log(`  ${path}, ${name}: ${decisions.find(({ about }) => about === "og.jpg")?.decision}`);
			await mkdir(join(folder.path, "tiles"), { recursive: true });
			const tile = join(folder.path, "tiles", `${String(++made).padStart(4, "0")}.png`);
			await ffmpeg("-i", join(directory, "og.jpg"), "-vf", "scale=160:84", tile);
			await rm(directory, { recursive: true });
		}
	}
	const layout = `tile=${Object.keys(spoils).length}x${clips.length}`;
	await ffmpeg("-i", join(folder.path, "tiles", "%04d.png"), "-vf", layout, "-frames:v", "1", sheet);
	console.log(`og-picture: look at ${sheet}. The columns: ${Object.keys(spoils).join(", ")}`);
}

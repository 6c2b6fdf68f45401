import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { process as processMedia } from "@reelmill/media";

const clip = fileURLToPath(new URL("../examples/demo/assets/clip.mp4", import.meta.url));
const ffmpeg = (...args: string[]) =>
	promisify(execFile)("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args], { env: { SVT_LOG: "1", PATH: process.env.PATH } });

/** As it is usually written by hand: a process a rendition, each with its own decode, web.mp4 encoded once more, the thumbnail found by decoding everything. */
async function processPerRendition(source: string, directory: string): Promise<void> {
	const h264 = ["-c:v", "libx264", "-preset", "medium", "-crf", "23"];
	const av1 = ["-c:v", "libsvtav1", "-preset", "10", "-crf", "40"];
	const sound = ["-c:a", "aac", "-b:a", "128k"];
	for (const [name, height, encoder] of [
		["h264_720", 720, h264],
		["h264_1080", 1080, h264],
		["av1_720", 720, av1],
		["av1_1080", 1080, av1],
	] as const) {
		await mkdir(join(directory, name), { recursive: true });
		const hls = ["-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4", join(directory, name, "index.m3u8")];
		await ffmpeg("-i", source, "-vf", `scale=-2:${height}`, ...encoder, "-g", "50", ...sound, ...hls);
	}
	await ffmpeg("-i", source, ...h264, ...sound, "-movflags", "+faststart", join(directory, "web.mp4"));
	await ffmpeg("-i", source, "-vf", "thumbnail,scale=1200:630", "-frames:v", "1", "-update", "1", join(directory, "og.jpg"));
}

/** Everything that a job asks for by default, proved. Without the sandbox, which would hide its CPU time from this process. */
async function oneProcess(source: string, directory: string): Promise<void> {
	const renditions = ["h264_720", "h264_1080", "av1_720", "av1_1080"];
	const outputs = { hls: true, dash: false, mp4_fallback: true, og_thumbnail: true };
	await processMedia({
		source,
		directory,
		tools: { ffmpeg: "ffmpeg", ffprobe: "ffprobe", sandbox: "off" },
		job: { plan: { renditions, outputs }, limits: { max_duration_seconds: 180 } },
	});
}

/** CPU time of all ended children, in clock ticks. */
async function childTicks(): Promise<number> {
	const fields = (await readFile("/proc/self/stat", "utf8")).replace(/^.*\) /, "").split(" ");
	return Number(fields[13]) + Number(fields[14]);
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** A whole job against the same outputs made by hand, on the bundled clip enlarged to 1080p. The two take turns; what counts are the ratios, since machines differ. */
export async function media(rounds = 3): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
	try {
		const source = join(folder, "source.mp4");
		await ffmpeg("-i", clip, "-vf", "scale=1920:1080", "-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-c:a", "copy", source);
		const measure = async (name: string, run: (source: string, directory: string) => Promise<void>) => {
			const directory = join(folder, name);
			await mkdir(directory);
			const [started, ticks] = [performance.now(), await childTicks()];
			await run(source, directory);
			const taken = { seconds: (performance.now() - started) / 1000, ticks: (await childTicks()) - ticks };
			await rm(directory, { recursive: true });
			return taken;
		};
		const [wall, processor]: [number[], number[]] = [[], []];
		for (let round = 1; round <= rounds; round += 1) {
			const ours = await measure("one", oneProcess);
			const theirs = await measure("many", processPerRendition);
			wall.push(ours.seconds / theirs.seconds);
			processor.push(ours.ticks / theirs.ticks);
			console.log(`  round ${round}: ${ours.seconds.toFixed(1)} s against ${theirs.seconds.toFixed(1)} s`);
		}
		console.log(
			`media: whole job against a process per rendition: wall ${median(wall).toFixed(2)}, CPU ${median(processor).toFixed(2)} (medians of ${rounds})`,
		);
	} finally {
		await rm(folder, { recursive: true });
	}
}

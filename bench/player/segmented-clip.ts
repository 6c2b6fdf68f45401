import { mkdir, mkdtempDisposable, open, rename, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processVideo } from "@reelmill/media";
import { readTrack, type Segment, type Track } from "../../packages/media/src/mp4/track.ts";
import { masterPlaylist, mediaPlaylist, targetSeconds } from "../../packages/media/src/package/hls.ts";
import { footage } from "../media/footage.ts";
import { tools } from "../media/job.ts";
import { ffmpeg } from "../media/measure.ts";

/** How many stretches of two seconds each segment holds; the last number counts for all that follow. */
export type Segmentation = { readonly name: string; readonly stretches: readonly number[] };

const kept = join(tmpdir(), "reelmill-bench-segments");
/** The longest video that the service takes. */
const seconds = 900;
/** The clip has one sound, in stereo. */
const heard = { index: 1, channels: 2 as const, language: null, title: null };
/** Each stretch begins with a key frame. */
const stretchSeconds = 2;
const videos = [
	{ name: "h264_720", pictures: "128x72" },
	{ name: "h264_1080", pictures: "192x108" },
];

/**
 * Makes a quarter of an hour of HLS in each segmentation, in a folder of its name. It has the bytes that the service
 * makes of 20 s of real footage, again and again. The pictures are small ones, and boxes without a meaning fill each
 * stretch up to the real one's size: so a browser without a graphics card plays several at once. The files are kept in
 * the system's folder for temporary files.
 */
export async function segmentedClip(segmentations: readonly Segmentation[]): Promise<string> {
	await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-bench-"));
	if (!(await stat(kept).catch(() => null))) await makeTracks(folder.path);
	const pictures = await Promise.all(
		videos.map(async ({ name }) => {
			const [real, small] = [join(kept, `${name}.mp4`), join(kept, `${name}-small.mp4`)];
			return filled(await readTrack(small, name), await readTrack(real, name), small, join(kept, "media"));
		}),
	);
	const sound = await readTrack(join(kept, "media/audio.mp4"), "audio");
	for (const { name, stretches } of segmentations) {
		await mkdir(join(kept, name), { recursive: true });
		const [audio, ...levels] = [sound, ...pictures].map((track) => joined(track, stretches)) as [Track, ...Track[]];
		await writeFile(join(kept, name, "master.m3u8"), masterPlaylist(levels, [{ ...heard, track: audio }], 30));
		for (const track of [audio, ...levels]) {
			const playlist = mediaPlaylist(track, `../media/${track.name}.mp4`, targetSeconds([audio, ...levels]));
			await writeFile(join(kept, name, `${track.name}.m3u8`), playlist);
		}
	}
	return kept;
}

/** Makes the real tracks of 20 s, and small pictures and the sound of the whole length. */
async function makeTracks(folder: string): Promise<void> {
	const [source, directory, made] = [join(folder, "source.mp4"), join(folder, "outputs"), join(folder, "kept")];
	await mkdir(join(made, "media"), { recursive: true });
	await ffmpeg("-i", await footage(), "-t", "21", "-c", "copy", source);
	const outputs = { hls: true, dash: false, mp4_fallback: false, og_thumbnail: false };
	const limits = { max_duration_seconds: seconds, max_decoded_pixels: 1e12 };
	const renditions = videos.map(({ name }) => name);
	await processVideo({ source, directory, tools, job: { plan: { renditions, outputs }, limits } });
	const cmaf = "+cmaf+frag_keyframe+delay_moov+global_sidx";
	for (const { name, pictures } of videos) {
		await rename(join(directory, "media", `${name}.mp4`), join(made, `${name}.mp4`));
		const moving = ["-f", "lavfi", "-i", `testsrc=size=${pictures}:rate=30:duration=${seconds}`];
		const x264 = "-c:v libx264 -preset ultrafast -crf 40 -pix_fmt yuv420p -g 60 -keyint_min 60 -sc_threshold 0";
		await ffmpeg(...moving, ...x264.split(" "), "-movflags", cmaf, join(made, `${name}-small.mp4`));
	}
	const aac = ["-vn", "-c:a", "aac", "-b:a", "128k", "-frag_duration", "2000000", "-movflags"];
	const again = ["-stream_loop", "-1", "-i", source, "-t", String(seconds)];
	await ffmpeg(...again, ...aac, cmaf.replace("+frag_keyframe", ""), join(made, "media/audio.mp4"));
	await rename(made, kept);
}

/** Writes the small track with each stretch filled up to the size that it has in the real one; returns it. */
async function filled(small: Track, real: Track, path: string, media: string): Promise<Track> {
	const whole = real.segments.filter((segment) => Math.abs(segment.seconds - stretchSeconds) < 0.01).slice(0, 10);
	await using source = await open(path);
	await using target = await open(join(media, `${small.name}.mp4`), "w");
	const copy = async ({ offset, length }: { readonly offset: number; readonly length: number }) => {
		const bytes = Buffer.alloc(length);
		await source.read(bytes, 0, length, offset);
		await target.write(bytes);
	};
	await copy(small.initialisation);
	const segments: Segment[] = [];
	let offset = small.initialisation.length;
	for (const [n, segment] of small.segments.entries()) {
		const length = Math.max(whole[n % whole.length]?.length ?? 0, segment.length + 8);
		await copy(segment);
		const free = Buffer.alloc(length - segment.length);
		free.writeUInt32BE(free.length, 0);
		free.write("free", 4, "latin1");
		await target.write(free);
		segments.push({ ...segment, offset, length });
		offset += length;
	}
	const { width, height, codecs } = real;
	return { ...small, width, height, codecs, bytes: offset, segments };
}

/** Returns a track whose segments hold as many stretches as named. */
function joined(track: Track, stretches: readonly number[]): Track {
	const segments: Segment[] = [];
	for (let at = 0; at < track.segments.length; ) {
		const count = stretches[Math.min(segments.length, stretches.length - 1)] ?? 1;
		const [first, ...rest] = track.segments.slice(at, at + count) as [Segment, ...Segment[]];
		const sum = (of: (segment: Segment) => number) => rest.reduce((total, one) => total + of(one), of(first));
		segments.push({ ...first, length: sum(({ length }) => length), seconds: sum((one) => one.seconds) });
		at += count;
	}
	return { ...track, segments };
}

import { execFile } from "node:child_process";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const city = fileURLToPath(new URL("../../examples/demo/assets/clip.mp4", import.meta.url));
const kept = join(tmpdir(), "reelmill-bench-player");
const seconds = 120;

/**
 * Makes two minutes of real footage as the service makes its outputs: 720p and 1080p in segments of two seconds, one
 * file a track, the sound apart. Returns the folder, which is kept in the system's folder for temporary files.
 */
export async function playedClip(): Promise<string> {
	if (await stat(join(kept, "master.m3u8")).catch(() => null)) return kept;
	await mkdir(kept, { recursive: true });
	const ffmpeg = (...parts: string[]) => execute("ffmpeg", ["-v", "error", "-y", ...parts], { cwd: kept });
	const hls = "-f hls -hls_time 2 -hls_playlist_type vod -hls_segment_type fmp4 -hls_flags single_file".split(" ");
	for (const [name, side, crf] of [
		["h264_720", 720, 24],
		["h264_1080", 1080, 24],
	] as const) {
		const x264 = `-c:v libx264 -preset superfast -crf ${crf} -pix_fmt yuv420p -g 60 -keyint_min 60 -sc_threshold 0`;
		const once = ["-i", city, "-map", "0:v", "-t", "6", "-vf", `fps=30,scale=-2:${side}`, ...x264.split(" ")];
		await ffmpeg(...once, `${name}-once.mp4`);
		const again = ["-stream_loop", "-1", "-i", `${name}-once.mp4`, "-t", String(seconds), "-c", "copy"];
		await ffmpeg(...again, ...hls, "-hls_segment_filename", `${name}.mp4`, `${name}.m3u8`);
	}
	const looped = ["-stream_loop", "-1", "-i", city, "-t", String(seconds)];
	const aac = ["-map", "0:a", "-c:a", "aac", "-b:a", "128k"];
	await ffmpeg(...looped, ...aac, ...hls, "-hls_segment_filename", "audio.mp4", "audio.m3u8");
	await ffmpeg("-i", "h264_720.m3u8", "-i", "audio.m3u8", "-c", "copy", "-movflags", "+faststart", "web.mp4");
	await ffmpeg("-i", "h264_720-once.mp4", "-frames:v", "1", "og.jpg");
	const level = (name: string, size: string, bandwidth: number) =>
		`#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},RESOLUTION=${size},CODECS="avc1.64001F,mp4a.40.2",AUDIO="audio"\n${name}.m3u8\n`;
	const sound = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",DEFAULT=YES,AUTOSELECT=YES,URI="audio.m3u8"\n';
	const bandwidth = async (name: string) =>
		Math.round(((await readFile(join(kept, `${name}.mp4`))).length * 8) / seconds) + 128_000;
	const levels = [
		level("h264_720", "1284x720", await bandwidth("h264_720")),
		level("h264_1080", "1924x1080", await bandwidth("h264_1080")),
	];
	await writeFile(
		join(kept, "master.m3u8"),
		`#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n${sound}${levels.join("")}`,
	);
	return kept;
}

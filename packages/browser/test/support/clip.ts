import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Makes eight seconds of picture and sound in the form of the delivery plane: one file with byte ranges for each track,
 * a master playlist with H.264 in two sizes and AV1, an MP4 and a picture.
 * With `captioned` there are captions and a storyboard too.
 */
export async function makeClip(folder: string, { captioned = false } = {}): Promise<void> {
	const input = [
		"-v",
		"error",
		"-y",
		"-f",
		"lavfi",
		"-i",
		"testsrc2=s=320x180:r=30:d=8",
		"-f",
		"lavfi",
		"-i",
		"sine=d=8:r=48000",
	];
	const hls = [
		"-f",
		"hls",
		"-hls_time",
		"2",
		"-hls_playlist_type",
		"vod",
		"-hls_segment_type",
		"fmp4",
		"-hls_flags",
		"single_file",
	];
	const x264 = [
		"-c:v",
		"libx264",
		"-profile:v",
		"main",
		"-preset",
		"ultrafast",
		"-pix_fmt",
		"yuv420p",
		"-g",
		"60",
		"-keyint_min",
		"60",
	];
	const svt = ["-c:v", "libsvtav1", "-preset", "12", "-pix_fmt", "yuv420p", "-g", "60"];
	const ffmpeg = (...parts: string[]) => run("ffmpeg", [...input, ...parts], { cwd: folder });
	await ffmpeg("-map", "0:v", ...x264, ...hls, "-hls_segment_filename", "h264.mp4", "h264.m3u8");
	await ffmpeg("-map", "0:v", ...svt, ...hls, "-hls_segment_filename", "av1.mp4", "av1.m3u8");
	await ffmpeg("-map", "1:a", "-c:a", "aac", ...hls, "-hls_segment_filename", "audio.mp4", "audio.m3u8");
	await ffmpeg("-map", "0:v", "-map", "1:a", ...x264, "-c:a", "aac", "-movflags", "+faststart", "web.mp4");
	await ffmpeg("-map", "0:v", "-vf", "scale=640:360", ...x264, ...hls, "-hls_segment_filename", "big.mp4", "big.m3u8");
	await ffmpeg("-map", "0:v", "-frames:v", "1", "og.jpg");
	if (captioned) await writeTexts(folder);
	const variant = (codec: string, file: string, size = "320x180", bandwidth = 900_000) =>
		`#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},RESOLUTION=${size},FRAME-RATE=30.000,CODECS="${codec},mp4a.40.2",AUDIO="sound"${captioned ? ',SUBTITLES="captions"' : ""}\n${file}\n`;
	const captions =
		'#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="Deutsch",DEFAULT=NO,AUTOSELECT=YES,LANGUAGE="de",URI="captions.m3u8"\n';
	const sound = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="sound",DEFAULT=YES,AUTOSELECT=YES,URI="audio.m3u8"\n';
	await writeFile(
		join(folder, "master.m3u8"),
		`#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n${sound}${captioned ? captions : ""}${variant("avc1.4D400D", "h264.m3u8")}${variant("avc1.4D401E", "big.m3u8", "640x360", 2_500_000)}${variant("av01.0.00M.08", "av1.m3u8")}#EXT-X-STREAM-INF:BANDWIDTH=140000,CODECS="mp4a.40.2",AUDIO="sound"${captioned ? ',SUBTITLES="captions"' : ""}\naudio.m3u8\n`,
	);
}

/** Writes captions and a storyboard, whose image is the picture. */
async function writeTexts(folder: string): Promise<void> {
	await writeFile(join(folder, "transcript.vtt"), "WEBVTT\n\n00:00:00.000 --> 00:00:08.000\nOne long tone.\n");
	await writeFile(
		join(folder, "storyboard.vtt"),
		"WEBVTT\n\n00:00:00.000 --> 00:00:04.000\nog.jpg#xywh=0,0,160,90\n\n00:00:04.000 --> 00:00:08.000\nog.jpg#xywh=160,0,160,90\n",
	);
}

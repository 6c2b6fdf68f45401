import { readFile, writeFile } from "node:fs/promises";
import { withAsfObject } from "./planted-references.ts";
import { type Folder, lavfi, program } from "./sources.ts";

const bars = (size: string, rate = "25", seconds = 1): string =>
	`testsrc2=size=${size}:rate=${rate}:duration=${seconds}`;
const tone = "sine=duration=1:sample_rate=48000";
const otherTone = "sine=frequency=300:duration=1:sample_rate=48000";

/** Makes a clip of a second with these arguments; returns its path. */
const made =
	(name: string, ...args: string[]) =>
	async (folder: Folder): Promise<string> => {
		await program("ffmpeg", "-y", ...args, folder.path(name));
		return folder.path(name);
	};

/** Speech of no voice: Debian's ffmpeg reads AMR, but doesn't write it. A frame of 20 ms has 32 bytes. */
const silentSpeech = (seconds: number): Buffer =>
	Buffer.concat([
		Buffer.from("#!AMR\n"),
		...Array.from({ length: seconds * 50 }, () => Buffer.concat([Buffer.of(0x3c), Buffer.alloc(31)])),
	]);

/** A clip in each container that came after MP4, Matroska, MPEG, AVI and FLV. */
export const containers: Record<string, (folder: Folder) => Promise<string>> = {
	"Theora and Vorbis in Ogg": made(
		"theora.ogv",
		...[...lavfi(bars("160x90"), tone), "-c:v", "libtheora", "-q:v", "5", "-c:a", "libvorbis", "-ac", "2"],
	),
	"VP8 and Opus in Ogg": made(
		"vp8.ogg",
		...[...lavfi(bars("160x90"), tone), "-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"],
	),
	"WMV and WMA": made("a.wmv", ...lavfi(bars("160x90"), tone), "-c:v", "wmv2", "-b:v", "500k", "-c:a", "wmav2"),
	"raw DV of Europe, wide": made(
		"pal.dv",
		...[...lavfi(bars("720x576"), tone), "-target", "pal-dv", "-ac", "2", "-aspect", "16:9"],
	),
	"raw DV of America": made(
		"ntsc.dv",
		...lavfi(bars("720x480", "30000/1001", 2), tone),
		"-target",
		"ntsc-dv",
		"-ac",
		"2",
	),
	"a GIF with delays of two lengths": made(
		"delays.gif",
		...[...lavfi(`${bars("160x90", "20", 2)},select='lt(n,10)+not(mod(n,4))'`), "-fps_mode", "vfr"],
	),
	// Blue on the left, nothing on the right.
	"a GIF that one can see through": made(
		"transparent.gif",
		...lavfi(
			"color=blue:size=80x90:rate=10:duration=1,format=rgba,pad=160:90:0:0:color=black@0,split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse",
		),
	),
	"MPEG-2 in MXF, each channel a track": made(
		"tracks.mxf",
		...[...lavfi(bars("160x90"), tone, otherTone), "-map", "0", "-map", "1", "-map", "2"],
		...["-c:v", "mpeg2video", "-c:a", "pcm_s16le"],
	),
	"DNxHD in MXF": made(
		"dnxhd.mxf",
		...[...lavfi(bars("1280x720"), tone), "-pix_fmt", "yuv422p", "-c:v", "dnxhd", "-b:v", "110M", "-c:a", "pcm_s16le"],
	),
	"H.264 in MXF": made(
		"h264.mxf",
		...[...lavfi(bars("160x90"), tone), "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"],
		...["-c:a", "pcm_s16le"],
	),
	"H.263 and AMR in 3GP": async (folder) => {
		await writeFile(folder.path("silence.amr"), silentSpeech(1));
		const inputs = [...lavfi(bars("176x144", "15")), "-i", folder.path("silence.amr")];
		return made("a.3gp", ...inputs, "-c:v", "h263", "-c:a", "copy")(folder);
	},
};

/** Puts a Content Encryption Object into the header of an ASF, as files have that were sold with a licence. */
export async function encrypted(source: string, path: string): Promise<string> {
	const licence = withAsfObject(await readFile(source), "fbb3112223bdd211b4b700a0c955fc6e", Buffer.alloc(16));
	await writeFile(path, licence);
	return path;
}

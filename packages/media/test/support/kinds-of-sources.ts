import { readFile, writeFile } from "node:fs/promises";
import { type Folder, lavfi, program } from "./sources.ts";

/** What a clip shows and sounds like, as ffmpeg's generators are told. */
type Clip = { picture?: string; sound?: string | null; encode?: string[]; name?: string };

const bars = "testsrc2=size=160x90:rate=25:duration=1";
const tone = "sine=duration=1:sample_rate=48000,aformat=channel_layouts=stereo";
const x264 = ["-c:v", "libx264", "-preset", "ultrafast"];
const x265 = ["-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-x265-params", "log-level=none"];
const wide = (transfer: string) => ["-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc"];

async function clip(
	folder: Folder,
	path: string,
	{ picture = bars, sound = tone, encode = [...x264, "-pix_fmt", "yuv420p"] }: Clip,
): Promise<string> {
	const inputs = lavfi(picture, ...(sound === null ? [] : [sound]));
	await program("ffmpeg", "-y", ...inputs, ...encode, folder.path(path));
	return folder.path(path);
}

/** A clip whose streams are copied from another with other arguments. */
async function copied(folder: Folder, path: string, before: string[], after: string[], of: Clip = {}): Promise<string> {
	const whole = await clip(folder, `whole-${path}`, of);
	await program("ffmpeg", "-y", ...before, "-i", whole, "-c", "copy", ...after, folder.path(path));
	return folder.path(path);
}

/**
 * Two clips of a second one after the other in one stream, as a broadcast or a call recorder writes it. The clock of
 * the second begins at `start`.
 */
async function joined(folder: Folder, path: string, first: Clip, second: Clip, start = "1"): Promise<string> {
	const later = [...(second.encode ?? [...x264, "-pix_fmt", "yuv420p"]), "-output_ts_offset", start];
	const parts = [
		await clip(folder, `first-${path}`, first),
		await clip(folder, `second-${path}`, { ...second, encode: later }),
	];
	await writeFile(folder.path(path), Buffer.concat(await Promise.all(parts.map((part) => readFile(part)))));
	return folder.path(path);
}

/** Clips one after the other whose packets are copied into one stream each. */
async function spliced(folder: Folder, path: string, parts: readonly Clip[], container = "webm"): Promise<string> {
	const names: string[] = [];
	for (const [n, part] of parts.entries())
		names.push(await clip(folder, `part-${n}-${path.split(".")[0]}.${container}`, part));
	const list = folder.path(`${path}.ffconcat`);
	await writeFile(list, ["ffconcat version 1.0", ...names.map((name) => `file '${name}'`)].join("\n"));
	const input = ["-f", "concat", "-safe", "0", "-i", list];
	await program("ffmpeg", "-y", ...input, "-map", "0", "-c", "copy", folder.path(path));
	return folder.path(path);
}

/** Pictures of one colour with a border of another, as a call sends them. */
const framed = (size: string, seconds: number, encode: string[] = vp8): Clip => ({
	picture: `color=red:size=${size}:rate=25:duration=${seconds},drawbox=t=8:color=blue`,
	sound: null,
	encode,
});
const transparentHalf = (size: string, seconds: number): Clip => ({
	picture: `color=0xb05030:size=${size}:rate=25:duration=${seconds},format=yuva420p,geq=lum='p(X,Y)':cb='p(X,Y)':cr='p(X,Y)':a='255*gte(X,W/2)'`,
	sound: null,
	encode: ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-auto-alt-ref", "0", "-pix_fmt", "yuva420p"],
});
const vp8 = ["-c:v", "libvpx", "-deadline", "realtime", "-b:v", "2M"];
const inBand = [...x264, "-pix_fmt", "yuv420p", "-bsf:v", "dump_extra"];

/** A clip in whose first track header the upper left of the display matrix is replaced. */
async function turned(
	folder: Folder,
	path: string,
	[a, b, c, d]: readonly [number, number, number, number],
	of: Clip,
): Promise<string> {
	const bytes = await readFile(await clip(folder, `flat-${path}`, of));
	const matrix = bytes.indexOf("tkhd") + 44;
	for (const [at, value] of [
		[0, a],
		[4, b],
		[12, c],
		[16, d],
	] as const)
		bytes.writeInt32BE(Math.round(value * 65_536), matrix + at);
	await writeFile(folder.path(path), bytes);
	return folder.path(path);
}

const bt709 = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv"];
/** A colour as it stands in other primaries than BT.709's. */
const brickIn = (primaries: string, matrix: string): string =>
	`color=0xb05030:size=160x90:rate=25:duration=1,format=gbrp,zscale=min=gbr:rin=full:pin=bt709:tin=bt709:p=${primaries}:t=bt709:m=${matrix}:r=limited`;

/** Makes noise of a stream of an MPEG-TS, and gives it a type that nobody knows in the table of its programme. */
function withUnknownStream(stream: Buffer, number: number): Buffer {
	const bytes = Buffer.from(stream);
	for (let at = 0; at < bytes.length; at += 188) {
		const id = bytes.readUInt16BE(at + 1) & 0x1fff;
		const begins = ((bytes[at + 1] as number) & 0x40) !== 0;
		const content = at + 4 + (((bytes[at + 3] as number) & 0x20) === 0 ? 0 : 1 + (bytes[at + 4] as number));
		if (id === 0x1000) {
			const table = content + 1;
			const end = table + 3 + (bytes.readUInt16BE(table + 1) & 0xfff) - 4;
			for (let entry = table + 12; entry < end; entry += 5 + (bytes.readUInt16BE(entry + 3) & 0xfff))
				if ((bytes.readUInt16BE(entry + 1) & 0x1fff) === number) bytes[entry] = 0x7f;
			bytes.writeUInt32BE(crcOf(bytes.subarray(table, end)), end);
		} else if (id === number) {
			const from = begins ? content + 9 + (bytes[content + 8] as number) : content;
			for (let n = from; n < at + 188; n += 1) bytes[n] = (n * n * 31 + n) >> 5;
		}
	}
	return bytes;
}

/** The sum of a table: ISO/IEC 13818-1, annex A. */
export function crcOf(bytes: Buffer): number {
	let sum = 0xffffffff;
	for (const byte of bytes) {
		sum ^= byte << 24;
		for (let bit = 0; bit < 8; bit += 1) sum = (sum << 1) ^ (sum < 0 || sum >= 0x80000000 ? 0x04c11db7 : 0);
	}
	return sum >>> 0;
}

/** The same colour in HDR, as bright as it is in SDR. */
const brickInPq = (matrix: string): string =>
	`color=0xb05030:size=160x90:rate=25:duration=1,format=gbrp,zscale=min=gbr:rin=full:pin=bt709:tin=bt709:t=linear:npl=100:p=bt709:m=gbr,format=gbrpf32le,zscale=min=gbr:pin=bt709:tin=linear:t=smpte2084:p=bt2020:m=${matrix}:r=limited:npl=203,format=yuv420p10le`;

/** Twenty-five frames of fields, as a broadcast has them. */
const fields = (size: string): Clip => ({
	picture: `testsrc2=size=${size}:rate=50:duration=1,tinterlace=interleave_top`,
	encode: ["-c:v", "mpeg2video", "-flags", "+ilme+ildct", "-top", "1"],
});

const mutedRed: Clip = {
	picture: "color=red:size=160x90:rate=25:duration=1",
	sound: "anullsrc=channel_layout=stereo:sample_rate=48000:duration=1",
};
const toneOverBlue: Clip = { picture: "color=blue:size=160x90:rate=25:duration=1" };

/**
 * Every kind of source that the plan knows to treat, made anew by ffmpeg: phone, camera, screen recorder. Each gives
 * the path of a clip of a second or two.
 */
export const kinds: Record<string, (folder: Folder) => Promise<string>> = {
	plain: (folder) => clip(folder, "plain.mp4", {}),
	"larger than every rung": (folder) =>
		clip(folder, "large.mp4", { picture: "testsrc2=size=2560x1440:rate=25:duration=1" }),
	"turned by a phone": (folder) => copied(folder, "turned.mp4", [], ["-metadata:s:v:0", "rotate=90"]),
	"turned on its head": (folder) => copied(folder, "head.mp4", [], ["-metadata:s:v:0", "rotate=180"]),
	"pixels that are not square": (folder) =>
		clip(folder, "anamorphic.mp4", { picture: "testsrc2=size=180x144:rate=25:duration=1,setsar=64/45" }),
	"an odd size": (folder) =>
		clip(folder, "odd.mp4", {
			picture: "testsrc2=size=162x92:rate=25:duration=1,format=yuv444p,crop=161:91",
			encode: x264,
		}),
	// As a browser records a window: VP8 has no even sizes of its own.
	"an odd size in VP8": (folder) =>
		clip(folder, "odd.webm", {
			picture: "color=0xb05030:size=162x92:rate=25:duration=1,format=yuv444p,crop=161:91",
			encode: ["-c:v", "libvpx", "-deadline", "realtime", "-pix_fmt", "yuv420p"],
		}),
	portrait: (folder) => clip(folder, "portrait.mp4", { picture: "testsrc2=size=90x160:rate=25:duration=1" }),
	"a variable frame rate": (folder) =>
		clip(folder, "vfr.mp4", {
			picture: "testsrc2=size=160x90:rate=30:duration=2,select='lt(n,20)+not(mod(n,2))'",
			encode: [...x264, "-fps_mode", "vfr"],
			sound: tone.replace("1", "2"),
		}),
	"twice sixty frames a second": (folder) =>
		clip(folder, "fast.mp4", { picture: "testsrc2=size=160x90:rate=120:duration=1" }),
	// Its header says progressive; only its frames tell.
	interlaced: (folder) =>
		clip(folder, "interlaced.mkv", {
			picture:
				"color=black:size=160x96:rate=50:duration=1[a];color=white:size=16x96:rate=50[b];[a][b]overlay=x=3*n:shortest=1,tinterlace=interleave_top,fieldorder=tff",
			encode: ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-flags", "+ilme+ildct", "-crf", "10"],
			sound: null,
		}),
	"HDR as PQ": (folder) => clip(folder, "pq.mp4", { encode: [...x265, ...wide("smpte2084")] }),
	"HDR as HLG": (folder) => clip(folder, "hlg.mp4", { encode: [...x265, ...wide("arib-std-b67")] }),
	"ten bits": (folder) => clip(folder, "ten.mp4", { encode: [...x264, "-pix_fmt", "yuv420p10le"] }),
	"full range": (folder) => clip(folder, "full.mp4", { encode: [...x264, "-pix_fmt", "yuvj420p"] }),
	mono: (folder) => clip(folder, "mono.mp4", { sound: "sine=duration=1:sample_rate=44100" }),
	"5.1 with words in the centre alone": (folder) =>
		clip(folder, "surround.mp4", {
			sound: "sine=duration=1:sample_rate=48000,pan=5.1|FL=0*c0|FR=0*c0|FC=c0|LFE=0*c0|BL=0*c0|BR=0*c0",
		}),
	silent: (folder) =>
		clip(folder, "silent.mp4", { sound: "anullsrc=channel_layout=stereo:sample_rate=48000:duration=1" }),
	"no sound": (folder) => clip(folder, "mute.mp4", { sound: null }),
	"sound that ends early": (folder) => clip(folder, "short-sound.mp4", { sound: tone.replace("1", "0.4") }),
	"sound that goes on": (folder) => clip(folder, "long-sound.mp4", { sound: tone.replace("1", "2") }),
	"sound that begins late": async (folder) => {
		const whole = await clip(folder, "whole-late.mp4", {});
		const shifted = ["-itsoffset", "0.4", "-i", whole, "-map", "0:v", "-map", "1:a", "-c", "copy"];
		await program("ffmpeg", "-y", "-i", whole, ...shifted, folder.path("late-sound.mp4"));
		return folder.path("late-sound.mp4");
	},
	// Red until the cut, blue behind it; the packets before the cut stay in the file, hidden by its edit list.
	"an edit list": (folder) =>
		copied(folder, "edited.mp4", ["-ss", "1"], [], {
			picture: "color=red:size=160x90:rate=25:duration=2,drawbox=color=blue:t=fill:enable='gte(t,0.98)'",
			sound: tone.replace("1", "2"),
			encode: [...x264, "-pix_fmt", "yuv420p", "-g", "100", "-bf", "0"],
		}),
	"a picture that changes its size": (folder) =>
		joined(
			folder,
			"sizes.ts",
			{ picture: "color=red:size=320x180:rate=25:duration=1" },
			{ picture: "color=blue:size=160x120:rate=25:duration=1" },
		),
	"sound that changes its channels and rate": (folder) =>
		joined(
			folder,
			"sounds.ts",
			{
				sound: "anullsrc=channel_layout=stereo:sample_rate=48000:duration=1",
				encode: [...x264, "-pix_fmt", "yuv420p", "-ac", "2"],
			},
			{
				sound: "sine=duration=1:sample_rate=44100",
				encode: [...x264, "-pix_fmt", "yuv420p", "-ac", "1", "-ar", "44100"],
			},
		),
	"recordings one behind another": (folder) =>
		joined(
			folder,
			"recordings.ts",
			{ ...mutedRed, encode: [...x264, "-pix_fmt", "yuv420p", "-output_ts_offset", "60"] },
			toneOverBlue,
			"0",
		),
	"recordings under other numbers": (folder) =>
		joined(
			folder,
			"numbers.ts",
			mutedRed,
			{ ...toneOverBlue, encode: [...x264, "-pix_fmt", "yuv420p", "-mpegts_start_pid", "0x200"] },
			"3600",
		),
	"recordings in one WebM": (folder) =>
		joined(
			folder,
			"recordings.webm",
			{ ...mutedRed, encode: [...vp8, "-c:a", "libopus", "-live", "1"] },
			{ ...toneOverBlue, encode: [...vp8, "-c:a", "libopus", "-live", "1"] },
			"0",
		),
	// A recorder goes on with the file when a stream comes again, without another header.
	"recordings in one FLV": async (folder) => {
		const encode = [...x264, "-pix_fmt", "yuv420p", "-c:a", "aac"];
		const parts = [
			await readFile(await clip(folder, "first.flv", { ...mutedRed, encode })),
			await readFile(await clip(folder, "again.flv", { ...toneOverBlue, encode })),
		];
		await writeFile(
			folder.path("recordings.flv"),
			Buffer.concat([parts[0] as Buffer, (parts[1] as Buffer).subarray(13)]),
		);
		return folder.path("recordings.flv");
	},
	"a clock that jumps ahead": (folder) => joined(folder, "jump.ts", mutedRed, toneOverBlue, "3600"),
	"mirrored top to bottom": (folder) =>
		turned(folder, "upended.mp4", [1, 0, 0, -1], {
			picture: "color=red:size=160x90:rate=25:duration=2,drawbox=y=45:h=45:color=blue:t=fill",
			sound: tone.replace("1", "2"),
			encode: [...x264, "-pix_fmt", "yuv420p", ...bt709],
		}),
	"tilted by half a quarter": (folder) =>
		turned(folder, "tilted.mp4", [Math.SQRT1_2, Math.SQRT1_2, -Math.SQRT1_2, Math.SQRT1_2], {}),
	"a long strip": (folder) => clip(folder, "strip.mp4", { picture: "testsrc2=size=2000x80:rate=25:duration=1" }),
	"BT.2020 in SDR": (folder) =>
		clip(folder, "bt2020.mp4", {
			picture: brickIn("bt2020", "bt2020nc"),
			encode: [...x264, "-pix_fmt", "yuv420p10le", ...wide("bt2020-10")],
		}),
	"Display P3": (folder) =>
		clip(folder, "p3.mp4", {
			picture: brickIn("smpte432", "bt709"),
			encode: [...x264, "-pix_fmt", "yuv420p", ...bt709, "-color_primaries", "smpte432"],
		}),
	// A tone in the first two of them.
	"twelve channels": async (folder) => {
		const samples = new Int16Array(48_000 * 12).map((_, n) => (n % 12 < 2 ? 8000 * Math.sin(n / 100) : 0));
		await writeFile(folder.path("twelve.pcm"), new Uint8Array(samples.buffer));
		const sound = ["-f", "s16le", "-ar", "48000", "-ac", "12", "-i", folder.path("twelve.pcm")];
		const encode = [...x264, "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"];
		await program("ffmpeg", "-y", ...lavfi(bars), ...sound, ...encode, folder.path("twelve.mov"));
		return folder.path("twelve.mov");
	},
	// A tone on its left.
	"sound of a sphere": (folder) =>
		clip(folder, "sphere.mkv", {
			picture: bars.replace("duration=1", "duration=1.2"),
			sound: "sine=duration=1:sample_rate=48000,pan=quad|c0=c0|c1=c0,channelmap=map=0|1|2|3:channel_layout=ambisonic 1",
			encode: [...x264, "-pix_fmt", "yuv420p", "-c:a", "libopus", "-mapping_family", "2"],
		}),
	"one picture beside sound in Matroska": (folder) =>
		clip(folder, "picture.mkv", {
			picture: "testsrc2=size=160x90:rate=25:duration=0.04",
			sound: tone.replace("1", "2"),
			encode: [...x264, "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"],
		}),
	"fields that change their size": (folder) => joined(folder, "fields.ts", fields("160x96"), fields("128x96")),
	"transport packets of 204 bytes": async (folder) => {
		const bytes = await readFile(await clip(folder, "188.ts", {}));
		const packets = Array.from({ length: bytes.length / 188 }, (_, n) =>
			Buffer.concat([bytes.subarray(n * 188, (n + 1) * 188), Buffer.alloc(16)]),
		);
		await writeFile(folder.path("204.ts"), Buffer.concat(packets));
		return folder.path("204.ts");
	},
	"SDR, then HDR": (folder) =>
		joined(
			folder,
			"ranges.ts",
			{
				picture: "color=0xb05030:size=160x90:rate=25:duration=1,format=gbrp,zscale=min=gbr:rin=full:m=bt709:r=limited",
				encode: [...x265, ...bt709],
			},
			{ picture: brickInPq("bt2020nc"), encode: [...x265, ...wide("smpte2084")] },
		),
	// A broadcast has streams that ffmpeg doesn't know. This one begins first.
	"an unknown stream in front": async (folder) => {
		const whole = await clip(folder, "front-whole.mp4", {});
		const path = folder.path("front.ts");
		const sounds = [...lavfi("sine=duration=1.5"), "-itsoffset", "0.5", "-i", whole];
		const maps = ["-map", "1:v", "-map", "1:a", "-map", "0", "-c:v", "copy", "-c:a", "mp2"];
		await program("ffmpeg", "-y", ...sounds, ...maps, path);
		await writeFile(path, withUnknownStream(await readFile(path), 0x102));
		return path;
	},
	"HDR as ICtCp": (folder) =>
		clip(folder, "ictcp.mp4", {
			picture: brickInPq("ictcp"),
			encode: [...x265, ...wide("smpte2084"), "-colorspace", "ictcp"],
		}),
	// Its left half is transparent.
	"a transparent half": (folder) => clip(folder, "half.webm", { ...transparentHalf("160x90", 1), sound: tone }),
	"a transparent half that grows": (folder) =>
		spliced(folder, "grown.webm", [transparentHalf("160x90", 1), transparentHalf("320x180", 1)]),
	"grey of standard definition": (folder) =>
		clip(folder, "grey.mp4", { picture: "color=0x808080:size=160x90:rate=25:duration=1" }),
	// As security recorders write it: a picture that was dropped is a chunk without bytes.
	"dropped pictures in AVI": (folder) =>
		clip(folder, "dropped.avi", {
			picture: "testsrc2=size=160x90:rate=25:duration=2,select='mod(n,5)'",
			encode: [...x264, "-pix_fmt", "yuv420p", "-bf", "0", "-fps_mode", "passthrough"],
			sound: tone.replace("1", "2"),
		}),
	"sound that begins late and is trimmed": async (folder) => {
		const whole = await clip(folder, "whole-trimmed.mp4", {
			picture: bars.replace("duration=1", "duration=3"),
			sound: tone.replace("1", "3"),
		});
		const trimmed = ["-itsoffset", "1", "-ss", "1", "-i", whole, "-map", "0:v", "-map", "1:a", "-c", "copy"];
		await program("ffmpeg", "-y", "-i", whole, ...trimmed, folder.path("trimmed.mp4"));
		return folder.path("trimmed.mp4");
	},
	"a call that grows": (folder) =>
		spliced(folder, "call.webm", [framed("96x54", 0.2), framed("192x108", 0.4), framed("320x180", 1.4)]),
	"a screen that is turned": (folder) =>
		spliced(folder, "turning.webm", [framed("160x120", 1), framed("320x180", 1), framed("90x160", 1)]),
	// The display matrix stays, whatever the pictures' size.
	"turned by a phone, and of several sizes": async (folder) => {
		const parts = [framed("160x90", 1, inBand), framed("320x240", 1, inBand)];
		const whole = await spliced(folder, "new-sps.mp4", parts, "ts");
		const turn = ["-c", "copy", "-metadata:s:v:0", "rotate=90"];
		await program("ffmpeg", "-y", "-i", whole, ...turn, folder.path("new-sps-turned.mp4"));
		return folder.path("new-sps-turned.mp4");
	},
	// A broadcast goes from a film of 4:3 to one of 16:9 in the same number of pixels.
	"pixels that change their shape": (folder) =>
		joined(
			folder,
			"shapes.ts",
			{ ...fields("180x144"), picture: `${fields("180x144").picture},setsar=16/15` },
			{ ...fields("180x144"), picture: `${fields("180x144").picture},setsar=64/45` },
		),
	"sound that gets more channels": (folder) => {
		// Whole frames of both, so that no gap comes between the parts.
		const sine = "sine=duration=1.28:sample_rate=48000";
		const part = (layout: string): Clip => ({
			picture: bars.replace("duration=1", "duration=1.28"),
			sound: `${sine},pan=${layout}`,
			encode: [...x264, "-pix_fmt", "yuv420p", "-c:a", "ac3"],
		});
		return spliced(folder, "surround.ts", [part("stereo|c0=c0|c1=c0"), part("5.1|FC=c0")], "ts");
	},
	"a still picture in front of the film": async (folder) => {
		const still = await clip(folder, "cover.mov", {
			picture: "color=red:size=160x90",
			sound: null,
			encode: ["-frames:v", "1", "-c:v", "mjpeg"],
		});
		const film = await clip(folder, "film.mov", { picture: "color=blue:size=160x90:rate=25:duration=1" });
		const both = ["-map", "0:v", "-map", "1", "-c", "copy", "-disposition:v", "default"];
		await program("ffmpeg", "-y", "-i", still, "-i", film, ...both, folder.path("covered.mov"));
		return folder.path("covered.mov");
	},
	"a description in front of the sound": (folder) =>
		clip(folder, "described.mkv", {
			sound: `${tone},asplit[out0][b];[b]volume=0[out1]`,
			encode: [
				...[...x264, "-pix_fmt", "yuv420p", "-map", "0:v", "-map", "1"],
				...["-disposition:a:0", "visual_impaired", "-disposition:a:1", "0"],
			],
		}),
	"two programmes": (folder) =>
		clip(folder, "programmes.ts", {
			picture: "color=red:size=160x90:rate=25:duration=1,split[out0][out1]",
			sound: `${tone},asplit[out0][out1]`,
			encode: [
				...[...x264, "-pix_fmt", "yuv420p", "-map", "0", "-map", "1"],
				...["-program", "title=One:st=0:st=2", "-program", "title=Two:st=1:st=3"],
			],
		}),
	"one still picture with sound": (folder) =>
		clip(folder, "still.mp4", {
			picture: "testsrc2=size=160x90:rate=1:duration=1",
			encode: [...x264, "-pix_fmt", "yuv420p"],
			sound: tone.replace("1", "2"),
		}),
};

import { isHighRange } from "../source/colours.ts";
import { mayJump } from "../source/packet-clock.ts";
import type { Colour, ColourRun, Rational, Size, SourceProbe, SourceVideo } from "../types.ts";
import type { Decision } from "./decision.ts";
import { fitFields, fitFilters, isTurnedByFilters, storedBox, turningFilters } from "./fit-shapes.ts";
import { latestShare, perSecond, picturesPerSecond } from "./frame-rate.ts";

/** zscale's names of matrices, by ffprobe's. That of constant luminance can't be read without its transfer. */
const matrices: Record<string, string> = {
	bt709: "bt709",
	smpte170m: "smpte170m",
	bt470bg: "bt470bg",
	fcc: "fcc",
	// Its name is misspelled in ffmpeg 5.1.
	smpte240m: "7",
	bt2020nc: "bt2020nc",
	bt2020c: "bt2020nc",
};

/**
 * Returns the colour matrix. A source without a tag has the matrix that is usual for its size; without one ffmpeg would
 * shift the colours.
 */
const colourMatrix = ({ colour, height, width }: SourceVideo): string =>
	matrices[colour.matrix] ?? (Math.min(width, height) >= 720 ? "bt709" : "smpte170m");

/** Returns a name that the file has, unless it has none: HDR is BT.2020's then. */
const orElse = (name: string, usual: string): string => (name === "unknown" || name === "reserved" ? usual : name);

/**
 * 203 nits are white (ITU-R BT.2408). What is darker keeps its brightness, as far as what is brighter lets it.
 * docs/decisions/encoder-settings.md has what was measured.
 */
const toneMapping = (colour: Colour): string[] => [
	`zscale=tin=${colour.transfer}:min=${orElse(colour.matrix, "bt2020nc")}:pin=${orElse(colour.primaries, "bt2020")}:rin=${colour.range === "pc" ? "full" : "limited"}:t=linear:npl=203`,
	...["format=gbrpf32le", "zscale=p=bt709", "tonemap=mobius:desat=0", "zscale=t=bt709:m=bt709:r=limited"],
];

/**
 * Returns the filters of a picture that is HDR only at times, at its final size. It is treated in both ways, of which
 * each frame shows one.
 * @param frameSeconds how long a frame lasts
 */
function mixedRanges(video: SourceVideo, runs: readonly ColourRun[], earlier: number, frameSeconds: number): string {
	const high = runs.find(({ colour }) => isHighRange(colour))?.colour ?? video.colour;
	const low = runs.find(({ colour }) => !isHighRange(colour))?.colour ?? video.colour;
	const at = (time: number) => seconds(time - earlier - frameSeconds / 2);
	const plain = runs.flatMap(({ fromSeconds, colour }, n) => {
		if (isHighRange(colour)) return [];
		const next = runs[n + 1]?.fromSeconds;
		// A picture that begins later than the sound stands from the beginning.
		const bounds = [
			...(n === 0 ? [] : [`gte(t,${at(fromSeconds)})`]),
			...(next === undefined ? [] : [`lt(t,${at(next)})`]),
		];
		return [bounds.join("*")];
	});
	const matrix = colourMatrix({ ...video, colour: low });
	// zscale goes on as the first picture's colours are, so they are set alike for all.
	const all = (primaries: string, transfer: string, colorspace: string) =>
		`setparams=color_primaries=${primaries}:color_trc=${transfer}:colorspace=${colorspace}`;
	return [
		"split[high][low]",
		`[high]${[all("bt2020", high.transfer, "bt2020nc"), ...toneMapping(high)].join(",")},format=yuv420p[mapped]`,
		`[low]${all("bt709", "bt709", "bt709")},zscale=min=${matrix}:rin=${low.range === "pc" ? "pc" : "tv"}:m=bt709:r=tv,format=yuv420p[kept]`,
		`[mapped][kept]overlay=format=yuv420:enable='${plain.join("+")}'`,
	].join(";");
}

/** Primaries of larger gamuts than BT.709. The same numbers are stronger colours in them. */
const wideGamuts = ["bt2020", "smpte432"];

/** How many changes are named. */
const mostNamed = 8;

/** Returns seconds as ffmpeg reads them, to the microsecond. */
const seconds = (value: number): string => String(Math.round(value * 1e6) / 1e6 + 0);

/** Says whether pixels may be transparent, by the name of their format. */
const hasTransparency = ({ pixelFormat }: SourceVideo): boolean =>
	/^(yuva4|ya8|ya16|argb|abgr|rgba|bgra|gbrap)/.test(pixelFormat);

/** Says whether a picture has a whole number of colour samples: zscale refuses others. VP8 and VP9 have any size. */
function isDivisible({ width, height, pixelFormat }: SourceVideo): boolean {
	const step = /^yuvj?41/.test(pixelFormat) ? 4 : 2;
	return width % step === 0 && height % step === 0;
}

/** How far the declared end of the last frame may be off. */
const slackSeconds = 0.5;

/** Returns the bits of a sample by the name of the pixel format. */
const bitDepth = ({ pixelFormat }: SourceVideo): number =>
	Number(/p0?(9|10|12|14|16)(?:le|be)$/.exec(pixelFormat)?.[1] ?? 8);

/**
 * Returns the filters before the split into renditions: constant rate, largest size, square pixels, BT.709 in limited
 * range. ffmpeg rotates the picture by itself (autorotate), unless its shape changes midway.
 */
export function pictureFilters(
	probe: SourceProbe,
	plan: { frameRate: Rational; frames: number; size: Size; earlier: number; decide: (decision: Decision) => void },
): string[] {
	const { video } = probe;
	const { frameRate, frames, size, earlier, decide } = plan;
	const filters: string[] = [];
	const changes = video.shapes !== undefined;
	// ffmpeg mirrors a picture by reading its lines from the last to the first. The AV1 encoder can't do that, so the
	// lines are copied in order.
	if (video.matrix === "upended" && !isTurnedByFilters(video)) filters.push("copy");
	if (video.interlaced) {
		const fields = "the source's frames are made of fields";
		decide({ about: "interlacing", decision: "deinterlaced, a picture for each field", because: fields });
		// bwdif refuses pictures that change their size.
		if (changes) filters.push(...fitFields(video));
		// A broadcast may change its size unseen. This filter hands frames of the same size on as they are.
		else if (mayJump(probe.container)) filters.push(`scale=${video.width}:${video.height}:interl=1`);
		filters.push("bwdif=mode=send_field:deint=interlaced");
	}
	if (earlier > 0) filters.push(`setpts=PTS-round(${seconds(earlier)}/TB)`);
	// If the pictures end within half a frame, fps would round them to none.
	const ending = (video.endSeconds - earlier) * perSecond(frameRate) < 0.6 ? ":eof_action=pass" : "";
	const start = (latestShare(picturesPerSecond(video)) - 0.5) / perSecond(frameRate);
	filters.push(`fps=${frameRate.numerator}/${frameRate.denominator}:start_time=${seconds(start)}${ending}`);
	const hold = Math.max(0, probe.durationSeconds - video.endSeconds);
	if (hold > 0.1)
		decide({
			about: "last picture",
			decision: `held for ${hold.toFixed(2)} s`,
			because: "the sound goes on longer than the picture",
		});
	// This makes exactly the planned frames: the last picture is held a little longer than needed, and the rest is cut. A
	// source that breaks off much earlier still ends early, which `prove` finds.
	filters.push(`tpad=stop_mode=clone:stop_duration=${(hold + slackSeconds).toFixed(6)}`, `trim=end_frame=${frames}`);
	// What is transparent in a GIF is white, as on most pages that show one.
	if (hasTransparency(video) && probe.container !== "gif") {
		decide({ about: "transparency", decision: "blended over black", because: "the source's pictures may have some" });
		// The names of formats in which the filter finds the transparency.
		if (!video.pixelFormat.startsWith("yuva"))
			filters.push(video.pixelFormat.startsWith("ya") ? "format=yuva444p" : "format=gbrap");
		// This filter takes all pictures for as large as the first one. ffmpeg turns them before.
		const stored = storedBox(video, video);
		filters.push(...(changes ? fitFields(video) : [`scale=${stored.width}:${stored.height}`]), "premultiply=inplace=1");
	}
	const key = `${size.width}:${size.height}`;
	const scale = (options: string): string[] =>
		changes
			? [...fitFilters(storedBox(video, size), `:flags=bicubic${options}`), ...turningFilters(video)]
			: [`scale=${key}:flags=bicubic${options}`];
	const { colourRuns } = video;
	if (colourRuns !== undefined) {
		const inTurn = colourRuns.map(
			({ fromSeconds, colour }) => `${isHighRange(colour) ? colour.transfer : "SDR"} from ${fromSeconds.toFixed(1)} s`,
		);
		decide({
			about: "dynamic range",
			decision: "tone-mapped to SDR where it is HDR",
			because: `the source's transfer changes: ${inTurn.slice(0, mostNamed).join(", ")}`,
		});
		filters.push(...scale(""), mixedRanges(video, colourRuns, earlier, 1 / perSecond(frameRate)));
	} else if (isHighRange(video.colour)) {
		decide({
			about: "dynamic range",
			decision: "tone-mapped to SDR",
			because: `the source's transfer is ${video.colour.transfer}`,
		});
		filters.push(...scale(""), ...toneMapping(video.colour));
	} else if (/^(gbr|rgb|bgr|argb|abgr|pal8|0rgb|0bgr)/.test(video.pixelFormat)) {
		filters.push(...scale(":out_color_matrix=bt709:out_range=tv"));
	} else {
		const range = video.colour.range === "pc" || video.pixelFormat.startsWith("yuvj") ? "pc" : "tv";
		const matrix = colourMatrix(video);
		// scale hands a picture that is right already on without a copy. In another matrix, its greys would become
		// coloured.
		if (matrix === "bt709") filters.push(...scale(`:in_color_matrix=${matrix}:in_range=${range}:out_range=tv`));
		else if (changes || !isDivisible(video))
			filters.push(...scale(""), `zscale=min=${matrix}:rin=${range}:m=bt709:r=tv`);
		else filters.push(`zscale=${key}:filter=bicubic:min=${matrix}:rin=${range}:m=bt709:r=tv`);
	}
	const { primaries } = video.colour;
	if (colourRuns === undefined && !isHighRange(video.colour) && wideGamuts.includes(primaries)) {
		decide({ about: "colours", decision: "brought to BT.709", because: `the source's primaries are ${primaries}` });
		filters.push(
			"format=yuv420p",
			`zscale=pin=${primaries}:p=bt709:t=bt709:m=bt709:r=limited:tin=bt709:min=bt709:rin=limited`,
		);
	}
	const bits = bitDepth(video);
	if (bits > 8)
		decide({ about: "bit depth", decision: "8 bits a sample", because: `the source's ${bits} play on fewer devices` });
	filters.push("format=yuv420p", "setsar=1");
	return filters;
}

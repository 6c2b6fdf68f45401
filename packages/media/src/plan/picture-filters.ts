import { mayJump } from "../source/packet-clock.ts";
import type { Rational, Size, SourceProbe, SourceVideo } from "../types.ts";
import type { Decision } from "./decision.ts";
import { perSecond } from "./frame-rate.ts";

const highDynamicRange = ["smpte2084", "arib-std-b67"];
const matrices: Record<string, string> = {
	bt709: "bt709",
	smpte170m: "bt601",
	bt470bg: "bt601",
	fcc: "fcc",
	smpte240m: "smpte240m",
	bt2020nc: "bt2020",
	bt2020c: "bt2020",
};

/** An untagged source is taken for what its size suggests; left open, ffmpeg would shift its colours. */
const colourMatrix = ({ colour, height, width }: SourceVideo): string =>
	matrices[colour.matrix] ?? (Math.min(width, height) >= 720 ? "bt709" : "bt601");

const toneMapping = ({ colour }: SourceVideo): string[] => [
	`zscale=tin=${colour.transfer}:min=bt2020nc:pin=bt2020:rin=${colour.range === "pc" ? "full" : "limited"}:t=linear:npl=100`,
	...["format=gbrpf32le", "zscale=p=bt709", "tonemap=hable:desat=0", "zscale=t=bt709:m=bt709:r=limited"],
];

/** Primaries of larger gamuts than BT.709's, in which the same numbers are stronger colours. */
const wideGamuts = ["bt2020", "smpte432"];

/** How far a last frame's own idea of its end may be off. */
const slackSeconds = 0.5;

/** Bits a sample, by the pixel format's name. */
const bitDepth = ({ pixelFormat }: SourceVideo): number =>
	Number(/p0?(9|10|12|14|16)(?:le|be)$/.exec(pixelFormat)?.[1] ?? 8);

/**
 * The filters that stand before the split: constant rate, largest size, square pixels, BT.709 in limited range.
 * Rotation is ffmpeg's own (autorotate).
 */
export function pictureFilters(
	probe: SourceProbe,
	plan: { frameRate: Rational; frames: number; size: Size; decide: (decision: Decision) => void },
): string[] {
	const { video } = probe;
	const { frameRate, frames, size, decide } = plan;
	const filters: string[] = [];
	// ffmpeg mirrors it by reading its lines from the last to the first, which the AV1 encoder can't; a copy has them in
	// order.
	if (video.matrix === "upended") filters.push("copy");
	if (video.interlaced) {
		decide({ about: "interlacing", decision: "deinterlaced", because: "the source's frames are made of fields" });
		// Of broadcasts, whose size may change midway, which bwdif doesn't take. Where it doesn't change, this hands the
		// frames on.
		if (mayJump(probe.container)) filters.push(`scale=${video.width}:${video.height}:interl=1`);
		filters.push("bwdif=mode=send_frame:deint=interlaced");
	}
	// Pictures that are over before half a frame would be rounded to none.
	const ending = video.endSeconds * perSecond(frameRate) < 0.6 ? ":eof_action=pass" : "";
	filters.push(`fps=${frameRate.numerator}/${frameRate.denominator}:start_time=0${ending}`);
	const hold = Math.max(0, probe.durationSeconds - video.endSeconds);
	if (hold > 0.1)
		decide({
			about: "last picture",
			decision: `held for ${hold.toFixed(2)} s`,
			because: "the sound goes on longer than the picture",
		});
	// Exactly the planned frames: a little more is held than is missing, and what is too much cut. A source that breaks
	// off earlier still ends early, which is proved later.
	filters.push(`tpad=stop_mode=clone:stop_duration=${(hold + slackSeconds).toFixed(6)}`, `trim=end_frame=${frames}`);
	const scale = `scale=${size.width}:${size.height}:flags=bicubic`;
	if (highDynamicRange.includes(video.colour.transfer)) {
		decide({
			about: "dynamic range",
			decision: "tone-mapped to SDR",
			because: `the source's transfer is ${video.colour.transfer}`,
		});
		filters.push(scale, ...toneMapping(video));
	} else if (/^(gbr|rgb|bgr|argb|abgr|pal8|0rgb|0bgr)/.test(video.pixelFormat)) {
		filters.push(`${scale}:out_color_matrix=bt709:out_range=tv`);
	} else {
		const range = video.colour.range === "pc" || video.pixelFormat.startsWith("yuvj") ? "pc" : "tv";
		const matrix = colourMatrix(video);
		// Named where it differs alone: a picture that is right already is then handed on, not copied.
		const turned = matrix === "bt709" ? "" : ":out_color_matrix=bt709";
		filters.push(`${scale}:in_color_matrix=${matrix}:in_range=${range}${turned}:out_range=tv`);
	}
	const { primaries } = video.colour;
	if (!highDynamicRange.includes(video.colour.transfer) && wideGamuts.includes(primaries)) {
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

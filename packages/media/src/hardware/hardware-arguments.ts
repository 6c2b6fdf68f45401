import type { PlannedRendition } from "../plan/encode-plan.ts";
import type { Hardware, HardwareKind } from "../types.ts";
import { encoderName } from "./hardware.ts";

/** What the arguments depend on. */
export type UsedHardware = Pick<Hardware, "kind" | "device">;

/** The device that filters upload pictures to, by its name in ffmpeg's arguments. */
const filterDevice = ["-filter_hw_device", "hardware"];

const devices: Record<HardwareKind, (device: string | null) => string[]> = {
	vaapi: (device) => ["-init_hw_device", `vaapi=hardware${device === null ? "" : `:${device}`}`, ...filterDevice],
	// Quick Sync is opened on top of VAAPI: only so ffmpeg takes a render node.
	qsv: (device) => [
		...["-init_hw_device", `vaapi=node${device === null ? "" : `:${device}`}`],
		...["-init_hw_device", "qsv=hardware@node", ...filterDevice],
	],
	nvenc: () => [],
	videotoolbox: () => [],
};

/** Returns ffmpeg's global arguments that open the device. */
export const deviceArguments = ({ kind, device }: UsedHardware): string[] => devices[kind](device);

/** Returns the filters that bring a picture to the encoder. NVENC and VideoToolbox take it from memory. */
export const uploadFilters = ({ kind }: UsedHardware): string[] =>
	kind === "vaapi" || kind === "qsv" ? ["format=nv12", "hwupload=extra_hw_frames=64"] : [];

/**
 * The average bit rate, of the cap. Each kind has another scale of constant quality, and VAAPI's drivers need not have
 * one. All of them know an average and a cap.
 */
const averageShare = 0.6;

/**
 * No B-frames, so that pictures are decoded in the order in which they are shown, and no key frames except those of
 * `-g`. The group is closed: `+cgop` asks VAAPI, Quick Sync and VideoToolbox for it, and with NVENC each key frame is
 * an IDR frame.
 */
const modes: Record<HardwareKind, readonly string[]> = {
	vaapi: ["-rc_mode", "VBR", "-idr_interval", "0"],
	qsv: ["-preset", "medium", "-adaptive_i", "0", "-adaptive_b", "0", "-b_strategy", "0"],
	nvenc: [
		...["-preset", "p5", "-tune", "hq", "-rc", "vbr", "-spatial-aq", "1"],
		...["-rc-lookahead", "20", "-no-scenecut", "1", "-b_adapt", "0", "-forced-idr", "1"],
	],
	videotoolbox: ["-allow_sw", "0", "-realtime", "0"],
};

/** Quick Sync has this option for H.264 alone. */
const ofH264: Partial<Record<HardwareKind, readonly string[]>> = { qsv: ["-idr_interval", "0"] };

/** Returns the arguments of the encoder of one rendition, with a key frame every `gop` frames. */
export function hardwareEncoder(
	{ kind, device }: UsedHardware,
	{ codec, maxBitrate }: Pick<PlannedRendition, "codec" | "maxBitrate">,
	gop: number,
): string[] {
	return [
		...["-c:v", encoderName(kind, codec)],
		...(codec === "h264" ? ["-profile:v", "high"] : []),
		...modes[kind],
		...(codec === "h264" ? (ofH264[kind] ?? []) : []),
		...(kind === "nvenc" && device !== null ? ["-gpu", device] : []),
		...["-b:v", String(Math.round(averageShare * maxBitrate)), "-maxrate", String(maxBitrate)],
		...["-bufsize", String(2 * maxBitrate), "-g", String(gop), "-bf", "0", "-flags:v", "+cgop+global_header"],
	];
}

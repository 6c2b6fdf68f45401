import type { Codec, HardwareKind } from "../types.ts";

/** The ways to a hardware encoder, in the order in which they are tried. */
export const hardwareKinds = ["videotoolbox", "nvenc", "qsv", "vaapi"] as const satisfies readonly HardwareKind[];

/** Returns ffmpeg's name of a hardware encoder. */
export const encoderName = (kind: HardwareKind, codec: Codec): string => `${codec}_${kind}`;

import type { Colour } from "../types.ts";

const text = (value: unknown): string => (typeof value === "string" && value !== "" ? value : "unknown");

/** Reads the colours that ffprobe prints of a stream or a frame. */
export const colourOf = (entry: Readonly<Record<string, unknown>>): Colour => ({
	matrix: text(entry.color_space),
	transfer: text(entry.color_transfer),
	primaries: text(entry.color_primaries),
	range: text(entry.color_range),
});

/** Says whether pictures are HDR, by their transfer: PQ or HLG. */
export const isHighRange = ({ transfer }: Pick<Colour, "transfer">): boolean =>
	transfer === "smpte2084" || transfer === "arib-std-b67";

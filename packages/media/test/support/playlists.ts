import type * as hls from "hls-parser";
import { streamsOf } from "./sources.ts";

/** CODECS as it must be, from what ffprobe says of a track. */
export async function codecsOf(path: string): Promise<string> {
	const [stream] = await streamsOf(path);
	const hex = (value: number) => value.toString(16).padStart(2, "0").toUpperCase();
	if (stream?.codec_name === "h264")
		return `avc1.${{ High: "64" }[stream.profile as string]}00${hex(Number(stream.level))}`;
	if (stream?.codec_name === "av1") return `av01.0.${String(stream.level).padStart(2, "0")}M.08`;
	return stream?.codec_name === "aac" && stream.profile === "LC" ? "mp4a.40.2" : "unknown";
}

/**
 * RFC 8216's bit rates of a media playlist, section 4.1: the peak is that of any run of segments that lasts half to one
 * and a half target durations.
 */
export function ratesOf({ segments, targetDuration }: hls.types.MediaPlaylist): { average: number; peak: number } {
	const rate = (run: readonly hls.types.Segment[]) => {
		const seconds = run.reduce((sum, { duration }) => sum + duration, 0);
		return { seconds, bits: Math.ceil((run.reduce((sum, { byterange }) => sum + byterange.length, 0) * 8) / seconds) };
	};
	const runs = segments.flatMap((_, first) =>
		segments.slice(first).map((_, n) => rate(segments.slice(first, first + n + 1))),
	);
	// No run may last so long, or only the thinner ones: a peak is never below the average.
	const counted = runs.filter(({ seconds }) => seconds >= 0.5 * targetDuration && seconds <= 1.5 * targetDuration);
	const average = rate(segments).bits;
	return { average, peak: Math.max(average, ...counted.map(({ bits }) => bits)) };
}

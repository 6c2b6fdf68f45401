import type { VideoOutputs } from "@reelmill/contracts/types";

/** A codec that the player can choose. */
export type Codec = "h264" | "av1";

/** The part of `navigator.mediaCapabilities` that the choice needs. */
export type DecodingProbe = Pick<MediaCapabilities, "decodingInfo"> | undefined;

/**
 * Chooses one codec for the whole playback, because a switch in the middle is fragile. `auto` takes AV1 if the browser
 * says that it decodes the largest rendition smoothly and power-efficiently, and H.264 otherwise. Returns undefined if
 * the video names no renditions: then none is left out.
 */
export async function chooseCodec(
	wanted: Codec | "auto",
	renditions: VideoOutputs["renditions"],
	probe: DecodingProbe,
): Promise<Codec | undefined> {
	const largest = (codec: Codec) =>
		renditions.filter((rendition) => rendition.codec === codec).sort((a, b) => b.height - a.height)[0];
	const present = (["h264", "av1"] as const).filter((codec) => largest(codec));
	if (wanted !== "auto" && present.includes(wanted)) return wanted;
	if (present.length < 2) return present[0];
	const av1 = largest("av1");
	return av1 && (await decodesWell(av1, probe)) ? "av1" : "h264";
}

async function decodesWell(
	{ width, height, bitrate }: VideoOutputs["renditions"][number],
	probe: DecodingProbe,
): Promise<boolean> {
	const video = { contentType: 'video/mp4; codecs="av01.0.08M.08"', width, height, bitrate, framerate: 30 };
	const well = probe?.decodingInfo({ type: "media-source", video }).then(
		({ supported, smooth, powerEfficient }) => supported && smooth && powerEfficient,
		() => false,
	);
	return (await well) === true;
}

/** Tells whether a level's CODECS entry names the codec. */
export const isOf = (codec: Codec, videoCodec: string | undefined): boolean =>
	/^av01/.test(videoCodec ?? "") === (codec === "av1");

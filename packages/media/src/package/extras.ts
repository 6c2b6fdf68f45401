import { join } from "node:path";
import type { Encode } from "../encode/encode.ts";
import { writePlainMp4 } from "../mp4/plain-mp4.ts";
import type { Decision } from "../plan/decision.ts";
import { choosePicture } from "../stills/choose-picture.ts";
import { type Sample, type Stills, useKeyFrames } from "../stills/key-frames.ts";
import { writeThumbnail } from "../stills/thumbnail.ts";
import { type FinishedTrack, type JobTracks, stillTracks } from "./job-tracks.ts";

/** What was made of finished tracks. `samples` are pictures of the video, in order; none if no picture was needed. */
type Extras = {
	readonly files: readonly string[];
	readonly decisions: readonly Decision[];
	readonly samples: readonly Sample[];
};

/**
 * Makes what the plan asks for of the finished tracks without another encode: web.mp4, og.jpg and poster.jpg,
 * storyboard and moderation frames.
 * @param made files that are there already; pictures are then not made again
 * @param pictures.stills what else is made of key frames, if that is there already (default: it is made)
 * @param pictures.looked the track whose key frames become pictures (default: the smallest)
 */
export async function writeExtras(
	encode: Encode,
	{ videos, sounds }: JobTracks,
	made: readonly string[],
	{ looked, stills: given }: { readonly looked?: FinishedTrack; readonly stills?: Stills } = {},
): Promise<Extras> {
	const { plan, directory } = encode;
	const files: string[] = [];
	const decisions: Decision[] = [];
	const tracks = stillTracks(videos);
	if (tracks === null) return { files, decisions, samples: [] };
	const { smallest, largest } = tracks;
	const { mp4_fallback, og_thumbnail } = plan.outputs;
	if (mp4_fallback && !made.includes("web.mp4")) {
		const [sound] = sounds;
		const paths = [largest.path, ...(sound === undefined ? [] : [sound.path])];
		await writePlainMp4(paths, join(directory, "web.mp4"));
		files.push("web.mp4");
	}
	const { storyboard, moderationFrames } = plan;
	if (made.length > 0 || (!og_thumbnail && !storyboard && !moderationFrames)) return { files, decisions, samples: [] };
	// The watermark itself has contrast and sharp edges, so only the part above it is judged.
	const judgedShare = plan.watermark === null ? 1 : plan.watermark.y / plan.picture.size.height;
	const stills =
		given ??
		(await useKeyFrames(encode, looked ?? smallest, {
			...{ storyboard, frames: moderationFrames, judgedShare },
			isRough: looked !== undefined,
		}));
	files.push(...stills.files);
	if (og_thumbnail) {
		const seconds = stills.samples[choosePicture(stills.samples)]?.seconds ?? 0;
		files.push(...(await writeThumbnail(encode, { ...largest, seconds })));
		decisions.push({
			about: "og.jpg",
			decision: `the picture at ${seconds.toFixed(2)} s`,
			because: "it shows most of those looked at: contrast, detail, sharp edges, colour",
		});
	}
	return { files, decisions, samples: stills.samples };
}

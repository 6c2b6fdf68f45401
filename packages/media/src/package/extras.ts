import { join } from "node:path";
import type { Encode } from "../encode/encode.ts";
import type { Decision } from "../plan/decision.ts";
import { useKeyFrames } from "../stills/key-frames.ts";
import { choosePicture } from "../stills/picture-quality.ts";
import { writeThumbnail } from "../stills/thumbnail.ts";
import type { JobTracks, VideoTrack } from "./manifests.ts";
import { remuxMp4 } from "./web-mp4.ts";

const area = ({ track }: VideoTrack): number => track.width * track.height;

/**
 * Makes what the plan asks for of the finished tracks without another encode: web.mp4, og.jpg, storyboard and
 * moderation frames. Returns their paths.
 */
export async function writeExtras(
	encode: Encode,
	{ videos, sound }: JobTracks,
): Promise<{ files: string[]; decisions: Decision[] }> {
	const { plan, directory } = encode;
	const files: string[] = [];
	const decisions: Decision[] = [];
	const h264 = videos.filter(({ rendition }) => rendition.codec === "h264");
	const usable = [...(h264.length > 0 ? h264 : videos)].sort((a, b) => area(a) - area(b));
	const [smallest, largest] = [usable[0], usable.at(-1)];
	if (smallest === undefined || largest === undefined) return { files, decisions };
	const { mp4_fallback, og_thumbnail } = plan.outputs;
	if (mp4_fallback) {
		await remuxMp4(encode, { video: largest.path, audio: sound?.path ?? null, target: join(directory, "web.mp4") });
		files.push("web.mp4");
	}
	const { storyboard, moderationFrames } = plan;
	if (!og_thumbnail && !storyboard && !moderationFrames) return { files, decisions };
	// The watermark itself has contrast and sharp edges, so only the part above it is judged.
	const judgedShare = plan.watermark === null ? 1 : plan.watermark.y / plan.picture.size.height;
	const stills = await useKeyFrames(encode, smallest, { storyboard, frames: moderationFrames, judgedShare });
	files.push(...stills.files);
	if (og_thumbnail) {
		const seconds = stills.samples[choosePicture(stills.samples)]?.seconds ?? 0;
		await writeThumbnail(encode, { ...largest, seconds, target: join(directory, "og.jpg") });
		files.push("og.jpg");
		decisions.push({
			about: "og.jpg",
			decision: `the picture at ${seconds.toFixed(2)} s`,
			because: "it is the first with contrast and sharp edges",
		});
	}
	return { files, decisions };
}

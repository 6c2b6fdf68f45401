import { join } from "node:path";
import type { Decision } from "../plan/decision.ts";
import type { EncodePlan } from "../plan/encode-plan.ts";
import type { Programs } from "../run/programs.ts";
import { useKeyFrames } from "../stills/key-frames.ts";
import { firstShowable } from "../stills/picture-quality.ts";
import { thumbnail } from "../stills/thumbnail.ts";
import type { Made, MadeTracks } from "./manifests.ts";
import { remuxMp4 } from "./web-mp4.ts";

const area = ({ track }: Made): number => track.width * track.height;

/**
 * Makes what comes of the finished tracks without a second encode: web.mp4, og.jpg, storyboard and moderation frames,
 * as the plan asks.
 */
export async function writeExtras(
	programs: Programs,
	plan: EncodePlan,
	{ made, sound, directory, signal }: MadeTracks & { readonly signal?: AbortSignal | undefined },
): Promise<{ files: string[]; decisions: Decision[] }> {
	const files: string[] = [];
	const decisions: Decision[] = [];
	const h264 = made.filter(({ rendition }) => rendition.codec === "h264");
	const usable = [...(h264.length > 0 ? h264 : made)].sort((a, b) => area(a) - area(b));
	const [smallest, largest] = [usable[0], usable.at(-1)];
	if (smallest === undefined || largest === undefined) return { files, decisions };
	const { mp4_fallback, og_thumbnail } = plan.outputs;
	if (mp4_fallback) {
		await remuxMp4(programs, largest.path, sound?.path ?? null, join(directory, "web.mp4"), signal);
		files.push("web.mp4");
	}
	const { storyboard, moderationFrames } = plan;
	if (!og_thumbnail && !storyboard && !moderationFrames) return { files, decisions };
	// The watermark has contrast and sharp edges itself: what stands above it is judged.
	const judgedShare = plan.watermark === null ? 1 : plan.watermark.y / plan.picture.size.height;
	const stills = await useKeyFrames(
		programs,
		{ ...smallest, directory, signal },
		{ storyboard, frames: moderationFrames, judgedShare },
	);
	files.push(...stills.files);
	if (og_thumbnail) {
		const seconds = stills.samples[firstShowable(stills.samples)]?.seconds ?? 0;
		await thumbnail(programs, { ...largest, seconds, target: join(directory, "og.jpg"), signal });
		files.push("og.jpg");
		decisions.push({
			about: "og.jpg",
			decision: `the picture at ${seconds.toFixed(2)} s`,
			because: "it is the first with contrast and sharp edges",
		});
	}
	return { files, decisions };
}

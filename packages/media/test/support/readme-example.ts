import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkTools, MediaError, processVideo } from "@reelmill/media";

const directory = await mkdtemp(join(tmpdir(), "outputs-"));
const outputs = { hls: true, dash: false, mp4_fallback: true, og_thumbnail: true };
try {
	const made = await processVideo({
		source: "examples/demo/assets/clip.mp4",
		directory,
		job: { plan: { renditions: ["h264_720", "h264_1080"], outputs }, limits: { max_duration_seconds: 180 } },
		tools: await checkTools({ ffmpeg: "ffmpeg", ffprobe: "ffprobe" }),
		onProgress: (percent) => console.log(`${percent} %`),
		signal: AbortSignal.timeout(600_000),
	});
	console.log(made.files, made.renditions, made.media, made.report);
} catch (error) {
	if (error instanceof MediaError) console.log(error.reason, error.message);
	else throw error;
} finally {
	await rm(directory, { recursive: true });
}

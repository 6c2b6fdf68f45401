import { playlistOf } from "../../../engine/src/testing.ts";
import { completion, once, type Service } from "../../../http/test/support/open-service.ts";

const files = ["hls/master.m3u8", "og.jpg", "web.mp4"];

export const report = {
	source: { width: 1280, height: 720 },
	decisions: [{ about: "h264_1080", decision: "skipped", because: "it would be larger than the source of 1280x720" }],
	warnings: ["very_dark", "of a newer worker"],
	proof: {
		key_frames: 4,
		tracks: [
			{ name: "h264_720", bytes: 1000 },
			{ name: "audio", bytes: 10 },
		],
	},
};

/** Completes a job as a worker does. */
export async function finish({ engine }: Service, { id, lock }: { id: string; lock: string }): Promise<void> {
	const entries = async function* () {
		for (const path of files) yield { path, bytes: once(path === "hls/master.m3u8" ? playlistOf(1) : path) };
	};
	await engine.jobs.replaceOutputs(id, lock, entries());
	await engine.jobs.complete(id, { ...completion(lock, files), report });
}

import { join } from "node:path";
import { appendOutro, makeMezzanine, processVideo } from "@reelmill/media";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchChromium } from "../support/chromium.ts";
import { serveFolder } from "../support/serve-folder.ts";
import { type Folder, job, openFolder, tools } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

it("Chromium plays web.mp4 through the seam to the end of the outro, picture by picture, with sound", async () => {
	const [directory, mezzanine] = [folder.outputs(), folder.outputs()];
	const source = await folder.source("outro.mp4", { size: "180x320", rate: "30", seconds: 1.5 });
	await makeMezzanine({ source, directory: mezzanine, tools, job: { limits: { max_duration_seconds: 60 } } });
	await processVideo({
		source: await folder.source("video.mp4"),
		directory,
		tools,
		job: job(["h264_720"], { hls: false }),
	});
	await appendOutro({ directory, outro: join(mezzanine, "mezzanine.mp4"), tools });
	const server = await serveFolder(directory, "<video src=/web.mp4></video>");
	const browser = await launchChromium();
	try {
		const page = await browser.newPage();
		await page.goto(server.address);
		const played = await page.evaluate(`(async () => {
			const video = document.querySelector("video");
			const moments = [];
			const seen = (_, { mediaTime }) => (moments.push(mediaTime), video.requestVideoFrameCallback(seen));
			video.requestVideoFrameCallback(seen);
			video.muted = true;
			video.playbackRate = 0.5;
			const over = new Promise((resolve, reject) => {
				video.onended = resolve;
				video.onerror = () => reject(new Error(video.error.message));
			});
			await video.play();
			const decodedBefore = await new Promise((resolve) => (video.ontimeupdate = () => video.currentTime > 1.9 && resolve(video.webkitAudioDecodedByteCount)));
			await over;
			return { duration: video.duration, end: video.currentTime, moments, decodedBefore, decoded: video.webkitAudioDecodedByteCount };
		})()`);
		const { duration, end, moments, decodedBefore, decoded } = played as Record<
			"duration" | "end" | "decodedBefore" | "decoded",
			number
		> & {
			moments: number[];
		};
		expect(Math.abs(duration - 3.5)).toBeLessThan(0.1);
		expect(end).toBeCloseTo(duration, 1);
		expect(moments).toEqual([...moments].sort((a, b) => a - b));
		const around = moments.filter((moment) => moment > 1.7 && moment < 2.3);
		expect(around.some((moment) => moment < 2)).toBe(true);
		expect(around.some((moment) => moment >= 2)).toBe(true);
		expect(moments.at(-1)).toBeGreaterThan(3.3);
		expect(decoded).toBeGreaterThan(decodedBefore);
	} finally {
		await browser.close();
		server.close();
	}
});

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { appendOutro, makeMezzanine, process } from "@reelmill/media";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findProgram } from "../src/programs.ts";
import { type Folder, job, openFolder, tools } from "./sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

/** Serves one file with the ranges that browsers ask for. */
async function serve(path: string) {
	const { size } = await stat(path);
	const server = createServer((request, response) => {
		if (request.url !== "/web.mp4") return void response.setHeader("content-type", "text/html").end("<!doctype html><video src=/web.mp4></video>");
		const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "bytes=0-") ?? [];
		const [start, end] = [Number(first), last ? Number(last) : size - 1];
		response.writeHead(206, { "content-type": "video/mp4", "content-length": end - start + 1, "content-range": `bytes ${start}-${end}/${size}` });
		createReadStream(path, { start, end }).pipe(response);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

it("Chromium plays web.mp4 through the seam to the end of the outro, picture by picture, with sound", { timeout: 120_000 }, async () => {
	const executablePath = (await findProgram("chromium")) ?? (await findProgram("google-chrome"));
	if (executablePath === null) throw new Error("This test needs Chromium: install it (Debian, Ubuntu: apt-get install chromium).");
	const [directory, mezzanine] = [folder.outputs(), folder.outputs()];
	const source = await folder.source("outro.mp4", { size: "180x320", rate: "30", seconds: 1.5 });
	await makeMezzanine({ source, directory: mezzanine, tools, job: { limits: { max_duration_seconds: 60 } } });
	await process({ source: await folder.source("video.mp4"), directory, tools, job: job(["h264_720"], { hls: false }) });
	await appendOutro({ directory, outro: join(mezzanine, "mezzanine.mp4"), tools });
	const web = join(directory, "web.mp4");
	const { server, address } = await serve(web);
	const browser = await chromium.launch({ executablePath, headless: true, args: ["--no-sandbox", "--disable-gpu"] });
	try {
		const page = await browser.newPage();
		await page.goto(address);
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
		const { duration, end, moments, decodedBefore, decoded } = played as Record<"duration" | "end" | "decodedBefore" | "decoded", number> & {
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
		server.closeAllConnections();
		server.close();
	}
});

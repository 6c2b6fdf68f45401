import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { playlistOf } from "@reelmill/engine/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ZipFile } from "yazl";
import { claimed, completion, openService, type Service } from "../support/open-service.ts";
import { answerOf, open } from "../support/send.ts";

const MiB = 1024 * 1024;
const fileMiB = 128;
let service: Service;
beforeAll(async () => {
	service = await openService();
});
afterAll(() => service.close());

/** So many MiB, of one block again and again. */
function* blocks(block: Uint8Array): Generator<Uint8Array> {
	for (let count = 0; count < fileMiB; count += 1) yield block;
}

it("takes an archive of a quarter of a gigabyte, stored and packed, without holding more than a part of it in memory", async () => {
	const { auth } = await service.tenant();
	const job = await claimed(service, auth);
	const zip = new ZipFile();
	const mtime = new Date("2026-01-31");
	zip.addReadStream(Readable.from(blocks(randomBytes(MiB))), "media/h264_720.mp4", { compress: false, mtime });
	zip.addReadStream(Readable.from(blocks(Buffer.alloc(MiB))), "media/av1_720.mp4", { compress: true, mtime });
	for (const path of ["hls/master.m3u8", "web.mp4", "og.jpg"])
		zip.addBuffer(Buffer.from(path === "hls/master.m3u8" ? playlistOf(1) : path), path, { mtime });
	zip.end();
	const request = open(service.url, {
		method: "PUT",
		path: `/internal/v1/jobs/${job.id}/outputs?lock=${job.lock}`,
		headers: { ...(await service.serviceAuth()), "content-type": "application/zip" },
	});
	const before = process.memoryUsage().arrayBuffers;
	let most = 0;
	const watching = setInterval(() => {
		most = Math.max(most, process.memoryUsage().arrayBuffers - before);
	}, 5);
	const answer = answerOf(request);
	await pipeline(zip.outputStream, request);
	expect(await answer).toMatchObject({ status: 204 });
	clearInterval(watching);
	console.log(`an archive of ${2 * fileMiB} MiB took ${Math.round(most / MiB)} MiB of buffers, its sender's included`);
	expect(most).toBeLessThan(128 * MiB);
	const files = ["media/h264_720.mp4", "media/av1_720.mp4", "hls/master.m3u8", "web.mp4", "og.jpg"];
	expect(await service.engine.jobs.complete(job.id, completion(job.lock, files))).toMatchObject({ state: "available" });
	const media = await service.engine.serving.open({
		videoId: job.id,
		path: "media/av1_720.mp4",
		authorization: await playbackKey(auth, job.id),
	});
	expect(media.size).toBe(fileMiB * MiB);
});

async function playbackKey(auth: Record<string, string>, id: string): Promise<string> {
	const minted = await service.send({
		method: "POST",
		path: "/v1/playback-keys",
		headers: auth,
		json: { viewer_ref: "v", video_ids: [id] },
	});
	return `Bearer ${(minted.json as { playback_key: string }).playback_key}`;
}

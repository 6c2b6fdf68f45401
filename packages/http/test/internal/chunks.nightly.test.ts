import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
	auth,
	chunks,
	closing,
	directory,
	ended,
	expire,
	logger,
	parts,
	pictures,
	playsWhole,
	pretendIdle,
	programs,
	provideChunkService,
	rows,
	run,
	service,
	standingFfmpeg,
	startProcess,
	startWorker,
	tracks,
	upload,
	useRenditions,
} from "../support/chunk-service.ts";

provideChunkService();

describe("a video", () => {
	it("that two workers encode equals one encode: every picture at its time, the same key frames, no jump", async () => {
		await useRenditions(["h264_720", "av1_720"]);
		await Promise.all([startWorker("one"), startWorker("two")]);
		await expect.poll(async () => (await rows("select id from reelmill.waiting_workers")).length).toBe(2);
		const joined = await upload();
		expect(await ended(joined), JSON.stringify(logger.entries)).toMatchObject({
			state: "available",
			progress: 100,
			duration_seconds: 60,
		});
		const { json } = await service.send({ path: `/v1/videos/${joined}/report`, headers: auth });
		expect(JSON.stringify(json)).toContain("in 2 chunks, 1 of them by other workers");
		expect(await chunks()).toEqual([]);
		await expect.poll(parts).toEqual([]);

		for (const close of closing.splice(1).reverse()) await close();
		await startWorker("alone", { chunkWorkers: 1 });
		const whole = await upload();
		expect(await ended(whole)).toMatchObject({ state: "available" });
		await playsWhole(joined);
		for (const track of tracks) {
			const found = await pictures(joined, track);
			expect(found).toEqual(await pictures(whole, track));
			expect(found).toHaveLength(600);
			const url = (id: string) => `${service.url}/videos/${id}/media/${track}.mp4`;
			const stats = join(directory, "ssim.txt");
			const graph = `[0:v]settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[b];[a][b]ssim=stats_file=${stats}`;
			await run("ffmpeg", ["-v", "error", "-i", url(joined), "-i", url(whole), "-lavfi", graph, "-f", "null", "-"]);
			const alike = [...(await readFile(stats, "utf8")).matchAll(/All:([\d.]+)/g)].map(([, all]) => Number(all));
			expect(Math.min(...alike)).toBeGreaterThan(0.9);
		}
	});

	it("that lost its only worker is cut by the next one, so that the one after it makes what is left, each on another machine", async () => {
		const id = await upload();
		const standsAtAll = await startProcess((await standingFfmpeg("any")).path);
		await expect.poll(() => rows("select id from reelmill.jobs where lock is not null")).toHaveLength(1);
		await standsAtAll();
		await expire("jobs");
		const standsAtFirst = await startProcess((await standingFfmpeg("first")).path, "process-2");
		await expect.poll(chunks).toMatchObject([{ state: "done" }, { state: "done" }]);
		expect(await parts()).toHaveLength(2);
		await standsAtFirst();
		await expire("jobs");
		await startWorker("third");
		expect(await ended(id), JSON.stringify(logger.entries)).toMatchObject({ state: "available" });
		const report = JSON.stringify((await service.send({ path: `/v1/videos/${id}/report`, headers: auth })).json);
		expect(report).toContain("in 3 chunks, 2 of them by other workers");
		expect(report).toContain("an earlier attempt was interrupted");
		expect((await pictures(id, "h264_108")).length).toBe(600);
		await playsWhole(id);
		expect(await chunks()).toEqual([]);
		await expect.poll(parts).toEqual([]);
	});

	it("whose own worker is killed keeps the chunk that is finished for the next attempt, on another machine, which makes the others", async () => {
		const id = await upload();
		await pretendIdle(2);
		const kill = await startProcess((await standingFfmpeg("first")).path);
		await expect.poll(async () => (await chunks()).length).toBe(2);
		const before = await rows<{ id: string }>("select id from reelmill.chunks");
		await startWorker("helper", { ffmpeg: (await standingFfmpeg("last")).path });
		await expect.poll(chunks).toMatchObject([{ state: "done" }, { state: "locked" }]);
		await expect.poll(() => programs("helper")).not.toEqual([]);
		await kill();
		await expire("jobs");
		await expect.poll(() => programs("helper")).toEqual([]);
		// Free again, the helper takes the video itself, and offers the same chunks.
		const fresh = async () =>
			(await rows<{ id: string }>("select id from reelmill.chunks")).filter(
				({ id: chunk }) => !before.some((old) => old.id === chunk),
			);
		await expect.poll(async () => (await fresh()).length).toBe(1);
		expect(await chunks()).toMatchObject([{ state: "done", attempt: 1 }, {}]);
		await writeFile(join(directory, "gate-last"), "");
		expect(await ended(id), JSON.stringify(logger.entries)).toMatchObject({ state: "available" });
		expect(JSON.stringify((await service.send({ path: `/v1/videos/${id}/report`, headers: auth })).json)).toContain(
			"in 3 chunks, 1 of them by other workers",
		);
		expect((await pictures(id, "h264_108")).length).toBe(600);
		await playsWhole(id);
		expect(await chunks()).toEqual([]);
		await expect.poll(parts).toEqual([]);
	});

	it.each([["deleted", "DELETE", "", 204]] as const)(
		"that is %s in the middle stops all who encode it, and leaves no part",
		async (_, method, end, status) => {
			const [own, last] = [await standingFfmpeg("first"), await standingFfmpeg("last")];
			const id = await upload();
			await pretendIdle(2);
			await startWorker("parent", { ffmpeg: own.path });
			await expect.poll(async () => (await chunks()).length).toBe(2);
			await startWorker("helper", { ffmpeg: last.path });
			await expect.poll(chunks).toMatchObject([{ state: "done" }, { state: "locked" }]);
			await expect.poll(() => programs("helper")).not.toEqual([]);
			expect(await parts()).toHaveLength(1);
			expect((await service.send({ method, path: `/v1/videos/${id}${end}`, headers: auth })).status).toBe(status);
			expect(await chunks()).toEqual([]);
			await expect.poll(parts).toEqual([]);
			await expect.poll(async () => [...(await programs("helper")), ...(await programs("parent"))]).toEqual([]);
		},
	);
});

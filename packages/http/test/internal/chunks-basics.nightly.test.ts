import { describe, expect, it } from "vitest";
import {
	auth,
	chunks,
	ended,
	expire,
	logger,
	parts,
	pictures,
	playsWhole,
	pretendIdle,
	programs,
	provideChunkService,
	service,
	standingFfmpeg,
	startProcess,
	startWorker,
	upload,
} from "../support/chunk-service.ts";

provideChunkService();

describe("a video", () => {
	it("whose helper is killed in the middle is finished by its own worker, which takes the chunk over", async () => {
		const own = await standingFfmpeg("first");
		const id = await upload();
		await pretendIdle(1);
		await startWorker("parent", { ffmpeg: own.path });
		await expect.poll(async () => (await chunks()).length).toBe(1);
		const kill = await startProcess((await standingFfmpeg("last")).path);
		await expect.poll(() => programs("process")).not.toEqual([]);
		expect(await chunks()).toMatchObject([{ state: "locked" }]);
		await kill();
		await expire("chunks");
		await own.open();
		expect(await ended(id), JSON.stringify(logger.entries)).toMatchObject({ state: "available" });
		expect(JSON.stringify((await service.send({ path: `/v1/videos/${id}/report`, headers: auth })).json)).toContain(
			"in 2 chunks, 0 of them by other workers",
		);
		expect((await pictures(id, "h264_108")).length).toBe(600);
		await playsWhole(id);
		expect(await chunks()).toEqual([]);
	});

	it.each([["cancelled", "POST", "/cancel", 200]] as const)(
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

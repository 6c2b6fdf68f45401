import { randomUUID } from "node:crypto";
import { type Job, ReelmillError } from "@reelmill/contracts";
import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mortalOptions } from "../support/mortal-options.ts";
import { uploadVideo } from "../support/open-engine.ts";
import { openPosters, type Posters } from "../support/open-posters.ts";

const png = Buffer.from(
	"89504e470d0a1a0a0000000d49484452000000100000000a0802000000000000000000000049454e4400000000",
	"hex",
);
let world: Posters;
let opened: Posters["opened"];
let tenant: Posters["tenant"];
beforeEach(async () => {
	world = await openPosters();
	({ opened, tenant } = world);
});
afterEach(() => opened.close());
const posters = () => opened.engine.posters;

describe("a poster", () => {
	it("is made of a picture that was sent, which is gone afterwards", async () => {
		const { claim, send, end, get, available, bytes, stored, check } = world;
		const id = await available("private");
		const sent = () => posters().put(tenant.principal, id, Uint8Array.from(png));
		const listener = randomUUID();
		const told = async () => {
			const { data } = await opened.engine.webhooks.listen(tenant.principal, listener, { received: [], ends: false });
			return data.map(({ body }) => JSON.parse(body).data.changed);
		};
		expect(await sent()).toMatchObject({ state: "pending", source: "picture", at_seconds: null });
		expect(await stored(id)).toEqual(["picture"]);
		// It waits for as long as no worker comes.
		opened.clock.advance(3 * 86_400_000);
		await opened.engine.sweep();
		expect(await check()).toEqual([]);
		const job = (await claim()) as Job;
		expect(job).toMatchObject({
			source: { content_type: "image/png", file_size: png.length },
			poster: { at_seconds: null, preview: false },
		});
		expect(Buffer.concat(await Array.fromAsync(await (await opened.engine.jobs.source(job.id)).read()))).toEqual(png);
		await send(job, "made");
		await told();
		await end(job);
		await opened.engine.sweep();
		expect(await stored(id)).toEqual(["og.jpg", "poster.jpg"]);
		expect(await get(id)).toMatchObject({ state: "available", source: "picture" });
		await expect(bytes(id, "poster.jpg")).rejects.toMatchObject({ code: "playback_key_required" });

		// What can't be read fails with its reason, and leaves the pictures as they are.
		await sent();
		const failing = (await claim()) as Job;
		const { lock } = failing;
		await opened.engine.jobs.fail(failing.id, { lock, reason: "invalid_media", retryable: false });
		expect(await get(id)).toMatchObject({
			state: "failed",
			failure_reason: "picture_unreadable",
			poster_url: expect.stringContaining("?v=1"),
		});
		expect(await told()).toEqual([["poster"], ["poster"]]);
		await opened.engine.sweep();
		expect(await stored(id)).toEqual(["og.jpg", "poster.jpg"]);
		await posters().delete(tenant.principal, id);
		expect(await get(id)).toMatchObject({ state: "automatic" });
		expect(await check()).toEqual([]);
	});

	it("is that of the last call, also while another one is being made", async () => {
		const { claim, send, end, get, put, make, available, stored, check } = world;
		const id = await available();
		await posters().put(tenant.principal, id, Uint8Array.from(png));
		const first = (await claim()) as Job;
		await send(first, "first");
		await put(id, 1);
		for (const late of [() => send(first, "late"), () => end(first), () => opened.engine.jobs.source(first.id)])
			await expect(late()).rejects.toMatchObject({ code: "video_not_found" });
		await opened.engine.sweep();
		expect(await stored(id)).toEqual([]);
		await Promise.all([put(id, 2), put(id, 3), put(id, 4)]);
		const { at_seconds } = await get(id);
		const job = await make("last");
		expect(job.poster?.at_seconds).toBe(at_seconds);
		expect(await claim()).toBeNull();
		// Nor does what was made of a call that was taken back.
		await put(id, 5);
		const gone = (await claim()) as Job;
		await posters().delete(tenant.principal, id);
		await expect(end(gone)).rejects.toMatchObject({ code: "video_not_found" });
		expect(await check()).toEqual([]);
	});

	it("survives lost workers, and is failed after the third spoiled attempt", async () => {
		const { claim, send, end, get, put, available, stored, check } = world;
		const id = await available();
		await put(id, 1);
		const lost = (await claim()) as Job;
		await send(lost, "lost");
		opened.clock.advance(91_000);
		const next = (await claim(true, "other")) as Job;
		expect(next).toMatchObject({ id: lost.id, attempt: 1 });
		await expect(end(lost)).rejects.toMatchObject({ code: "not_lock_holder" });
		for (const attempt of [1, 2, 3]) {
			const job = attempt === 1 ? next : ((await claim(true, "other")) as Job);
			expect(job.attempt).toBe(attempt);
			const { lock } = job;
			await opened.engine.jobs.fail(job.id, { lock, reason: "storage_error", retryable: true });
			opened.clock.advance(10_000);
		}
		expect(await get(id)).toMatchObject({
			state: "failed",
			source: "frame",
			at_seconds: 1,
			failure_reason: "processing_failed",
		});
		await opened.engine.sweep();
		expect(await stored(id)).toEqual([]);
		expect(await check()).toEqual([]);
	});

	it("ends with a video whose files are lost", async () => {
		const id = await world.available();
		await world.put(id, 1);
		await opened.database.query({
			text: "update reelmill.videos set state = 'failed', failure_reason = 'storage_error', outputs = null, version = version + 1 where id = $1",
			values: [id],
		});
		await opened.engine.sweep();
		expect(await opened.database.query({ text: "select from reelmill.posters", values: [] })).toEqual([]);
	});

	it("goes with its video, and is for its own domain alone", async () => {
		const { claim, end, put, available } = world;
		const id = await available();
		const { principal } = await opened.tenant();
		for (const call of [
			() => posters().get(principal, id),
			() => posters().put(principal, id, { at_seconds: 0, preview: false }),
			() => posters().delete(principal, id),
		])
			await expect(call()).rejects.toMatchObject({ code: "video_not_found" });
		await put(id, 1);
		const job = (await claim()) as Job;
		await opened.engine.videos.delete(tenant.principal, id);
		await expect(end(job)).rejects.toBeInstanceOf(ReelmillError);
		await opened.engine.sweep();
		expect(await opened.database.query({ text: "select id from reelmill.posters", values: [] })).toEqual([]);
		const uploading = await uploadVideo(opened, tenant.principal);
		await expect(put(uploading.video.id, 0)).rejects.toMatchObject({ code: "invalid_state" });
	});

	it("is made, or is the one before, whenever a server is killed, and nothing is left of it", async () => {
		const { available, get, make, send, end, check, stored } = world;
		let deaths = 0;
		for (let lived = false; !lived; deaths++) {
			const id = await available();
			const mortal = mortalOptions(opened.options, { steps: deaths / 2 });
			const server = createEngine(mortal.options);
			const act = async () => {
				await server.posters.put(tenant.principal, id, Uint8Array.from(png));
				const input = { worker: "w", wait_seconds: 0, takes_posters: true };
				const job = (await server.jobs.claim(opened.worker, input)) as Job;
				await send(job, "made", server);
				await end(job, server);
			};
			await act().catch(() => undefined);
			lived = mortal.isAlive();
			mortal.kill();
			await opened.clock.advance(91_000);
			if ((await get(id)).state === "pending") await make("made later");
			const { state } = await get(id);
			expect(["automatic", "available"]).toContain(state);
			expect(await check()).toEqual([]);
			await opened.clock.advance(2 * 86_400_000);
			await opened.engine.sweep();
			expect(await stored(id)).toEqual(state === "available" ? ["og.jpg", "poster.jpg"] : []);
		}
		expect(deaths).toBeGreaterThan(8);
	});
});

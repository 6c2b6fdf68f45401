import { createEngine } from "@reelmill/engine";
import { afterAll, beforeAll, expect, it } from "vitest";
import { finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
afterAll(() => opened.close());

const does = (work: Promise<unknown>) =>
	work.then(
		() => true,
		() => false,
	);

/**
 * A server whose clock was set back kept what it remembered for as long as that: a revoked key played on for 16 s after
 * a step of 15 s.
 */
it.each([-15_000, -120_000, -3_600_000, 120_000])(
	"forgets within 2 s what another server ended, where the clock is set by %i ms meanwhile",
	async (step) => {
		const { clock, engine: other, worker } = opened;
		const engine = createEngine(opened.options);
		const { principal, domain, apiKey } = await opened.tenant();
		const [played, deleted] = [await uploadVideo(opened, principal), await uploadVideo(opened, principal)];
		for (const { video } of [played, deleted])
			await finishJob(opened, await other.jobs.claimById(worker, video.id, { worker: "w" }));
		const mint = async (viewer_ref: string) =>
			`Bearer ${(await other.playback.createKey(principal, { viewer_ref, ttl_seconds: 3600 })).playback_key}`;
		const [revoked, kept] = [await mint("revoked"), await mint("kept")];
		const look = async () => ({
			playsRevoked: await does(
				engine.serving.open({ videoId: played.video.id, path: "web.mp4", authorization: revoked }),
			),
			playsDeleted: await does(
				engine.serving.open({ videoId: deleted.video.id, path: "web.mp4", authorization: kept }),
			),
			passes: await does(engine.keys.authenticate(`Bearer ${apiKey}`)),
		});
		expect(await look()).toEqual({ playsRevoked: true, playsDeleted: true, passes: true });
		await other.playback.revoke(principal, { viewer_ref: "revoked" });
		await other.videos.delete(principal, deleted.video.id);
		await other.domains.rotateKey(domain.id, { graceSeconds: 0 });
		clock.step(step);
		await clock.advance(2001);
		expect(await look()).toEqual({ playsRevoked: false, playsDeleted: false, passes: false });
		clock.step(-step);
		await engine.stop();
	},
);

import { setTimeout as pause } from "node:timers/promises";
import type { Job } from "@reelmill/contracts";
import { type Engine, engineActor } from "@reelmill/engine";
import { bytesOf, completion, contentOf, outputFiles } from "../../support/open-engine.ts";
import type { World } from "../world.ts";

async function* archive(paths: readonly string[]) {
	for (const path of paths) yield { path, bytes: bytesOf(path === "mezzanine.mp4" ? "1234ftypisom" : contentOf(path)) };
}

class BrokenOff extends Error {}
/** The archive of a worker that leaves while it sends. */
async function* brokenOff() {
	yield { path: "web.mp4", bytes: bytesOf("0123456789") };
	throw new BrokenOff();
}

const ended = ["invalid_video_state"];

/** The worker's part from the claim on. */
export async function finish({ again }: World, server: Engine, job: Job, paths: readonly string[] = outputFiles) {
	const { jobs } = server;
	const { id, lock } = job;
	const probe = { duration_seconds: 7.64, width: 1280, height: 720 };
	await again(() => jobs.heartbeat(id, { lock, progress: 10, probe }));
	await again(() => jobs.source(id, job.clip === undefined ? undefined : "web.mp4"));
	await again(() => jobs.mostEntries(id, lock));
	await again(() => jobs.replaceOutputs(id, lock, archive(paths)));
	const done = completion(job);
	const renditions = paths === outputFiles ? done.outputs.renditions : [];
	await again(() => jobs.complete(id, { ...done, outputs: { files: [...paths], renditions } }), ended);
}

const chunk = (n: number) => ({
	first_frame: n * 50,
	end_frame: n * 50 + 50,
	digest: "a".repeat(64),
	speed: "balanced" as const,
});

export const jobs = {
	"workers that wait, on one server": async (world: World) => {
		const { one, opened, again, uploaded, claimed, clock } = world;
		const leaving = new AbortController();
		const wait = (machine: string, signal?: AbortSignal) => {
			const input = { worker: machine, wait_seconds: 25, takes_chunks: true, takes_transcripts: true, machine };
			return again(() => one.jobs.claim(opened.worker, input, signal));
		};
		/** So that the pulse beats. */
		const beat = async () => {
			await pause(10);
			clock.leap(1000);
			await pause(10);
		};
		const waiting = [wait("first"), wait("second"), wait("leaves", leaving.signal)];
		await beat();
		leaving.abort();
		await beat();
		await uploaded();
		await beat();
		await beat();
		clock.leap(25_000);
		const found = (await Promise.all(waiting)).find((job) => job !== null);
		await finish(world, one, found ?? (await claimed(one)));
	},
	"a job that is given back, loses its worker, and is done": async (world: World) => {
		const { one, two, opened, again, uploaded, claimed, pass } = world;
		const id = await uploaded();
		const spoiled = await claimed(one);
		const { lock } = spoiled;
		await again(
			() => two.jobs.fail(id, { lock, reason: "storage_error", retryable: true, stopped: true }),
			[...ended, "not_lock_holder"],
		);
		const taken = await again(() => one.jobs.claimById(opened.worker, id, { worker: "x" }), ["video_not_claimable"]);
		if (taken) await again(() => one.jobs.heartbeat(id, { lock: taken.lock, progress: 1 }));
		await pass(91);
		const last = await claimed(two);
		await again(() => two.jobs.replaceOutputs(id, last.lock, brokenOff())).catch((error: unknown) => {
			if (!(error instanceof BrokenOff)) throw error;
		});
		await again(() => two.jobs.replaceOutputs(id, last.lock, archive(["web.mp4"]), "playable"));
		await again(() => two.jobs.outputUrls(id, { lock: last.lock, files: [{ path: "web.mp4", size: 1 }] }, 100));
		await finish(world, two, last);
	},
	"a video of three chunks": async (world: World) => {
		const { one, two, opened, again, uploaded, claimed } = world;
		const id = await uploaded();
		const parent = await claimed(one);
		const { lock } = parent;
		const { data: ids } = await again(() => one.jobs.offerChunks(id, { lock, chunks: [chunk(1), chunk(2), chunk(3)] }));
		const take = async () => {
			const job = await again(() =>
				two.jobs.claim(opened.worker, { worker: "h", wait_seconds: 0, takes_chunks: true }),
			);
			if (job) return job;
			throw new Error("No chunk came.");
		};
		const failed = await again(
			() => two.jobs.claimById(opened.worker, ids[0] as string, { worker: "h" }),
			["video_not_claimable"],
		);
		if (failed)
			await again(
				() => two.jobs.fail(failed.id, { lock: failed.lock, reason: "storage_error", retryable: false }),
				ended,
			);
		const helped = await take();
		await again(() => two.jobs.heartbeat(helped.id, { lock: helped.lock, progress: 50 }));
		await again(() => two.jobs.mostEntries(helped.id, helped.lock));
		await again(() =>
			two.jobs.replaceOutputs(
				helped.id,
				helped.lock,
				(async function* () {
					yield { path: "h264_720.mp4", bytes: bytesOf("0123456789") };
				})(),
			),
		);
		const files = [{ path: "h264_720.mp4", size: 10, sha256: "b".repeat(64) }];
		const { media } = completion(helped);
		await again(
			() => two.jobs.complete(helped.id, { lock: helped.lock, outputs: { files, renditions: [] }, media }),
			ended,
		);
		await again(() => one.jobs.nextChunk(id, { lock, take: true }));
		await again(() => one.jobs.part(helped.id, { lock, path: "h264_720.mp4" }));
		await finish(world, one, parent);
	},
	"a poster that is sent, and one that is taken back": async (world: World) => {
		const { one, two, opened, again, uploaded, claimed, principal } = world;
		const id = await uploaded();
		await finish(world, one, await claimed(one));
		const png = Uint8Array.from(
			Buffer.from("89504e470d0a1a0a0000000d4948445200000001000000010802000000000000000000000049454e4400000000", "hex"),
		);
		await again(() => one.posters.put(principal, id, png));
		const job = await claimed(two, { takes_posters: true });
		const { lock } = job;
		const files = ["poster.jpg", "og.jpg"];
		await again(() => two.jobs.heartbeat(job.id, { lock, progress: 50 }));
		await again(() => two.jobs.source(job.id));
		await again(() => two.jobs.replaceOutputs(job.id, lock, archive(files)));
		const { media } = completion(job);
		await again(
			() => two.jobs.complete(job.id, { lock, outputs: { files, renditions: [] }, media }),
			["video_not_found"],
		);
		await again(() => one.posters.put(principal, id, { at_seconds: 1, preview: true }));
		await again(() => one.posters.get(principal, id));
		const given = await again(
			() => two.jobs.claim(opened.worker, { worker: "p", wait_seconds: 0, takes_posters: true }),
			[],
		);
		if (given)
			await again(
				() => two.jobs.fail(given.id, { lock: given.lock, reason: "storage_error", retryable: true }),
				["not_lock_holder"],
			);
		await again(() => one.posters.delete(principal, id), ["not_found"]);
	},
	"a video that fails and is processed anew": async (world: World) => {
		const { one, two, again, principal, uploaded, claimed } = world;
		const id = await uploaded();
		const { lock } = await claimed(one);
		await again(() => one.jobs.fail(id, { lock, reason: "storage_error", retryable: false }), ended);
		await again(() => two.admin.listFailures({}));
		await again(() => two.admin.listFailedVideos({ limit: 10 }));
		await again(() => two.admin.reprocess(id, engineActor), ["invalid_state"]);
		await finish(world, two, await claimed(two));
		await again(() => one.videos.report(principal, id));
		await again(() => one.videos.timeline(principal, id));
	},
	"a clip of a video": async (world: World) => {
		const { one, two, again, principal, uploaded, claimed } = world;
		const id = await uploaded();
		await finish(world, one, await claimed(one));
		const stretch = { start_seconds: 1, end_seconds: 2 };
		await again(() => one.clips.create(principal, id, stretch, undefined, { idempotencyKey: "clip" }));
		await again(() => two.clips.list(principal, id, { limit: 10 }));
		await finish(world, two, await claimed(two, { takes_clips: true }));
	},
	"a transcript that is made later": async (world: World) => {
		const { one, two, again, uploaded, claimed, domainId, principal } = world;
		const id = await uploaded({ transcript: true });
		const job = await claimed(one);
		await again(() => one.jobs.replaceOutputs(id, job.lock, archive(outputFiles)));
		const done = completion(job);
		await again(
			() => one.jobs.complete(id, { ...done, media: { ...done.media, transcript_status: "unavailable" } }),
			ended,
		);
		await again(() => two.transcripts.request(domainId));
		const stopped = await claimed(two, { takes_transcripts: true });
		const given = { lock: stopped.lock, reason: "storage_error", retryable: true, stopped: true } as const;
		await again(() => two.jobs.fail(stopped.id, given), [...ended, "not_lock_holder"]);
		const spoken = await claimed(two, { takes_transcripts: true });
		const { lock } = spoken;
		await again(() => two.jobs.heartbeat(spoken.id, { lock, progress: 50 }));
		await again(() =>
			two.jobs.replaceOutputs(
				spoken.id,
				lock,
				(async function* () {
					yield { path: "transcript.vtt", bytes: bytesOf("WEBVTT\n\n00:00.000 --> 00:01.000\nGood morning\n") };
				})(),
			),
		);
		const media = { ...done.media, transcript_status: "available" as const, language: "en" };
		await again(
			() => two.jobs.complete(spoken.id, { lock, outputs: { files: ["transcript.vtt"], renditions: [] }, media }),
			ended,
		);
		await again(() => one.transcripts.get(principal, id));
	},
	"jobs that time ends": async (world: World) => {
		const { one, open, opened, clock, uploaded, again, pass, principal } = world;
		const [id, waiting] = [await uploaded(), await uploaded()];
		const job = await again(() => one.jobs.claimById(opened.worker, id, { worker: "w" }), ["video_not_claimable"]);
		clock.leap(50_000);
		if (job) await again(() => one.jobs.heartbeat(id, { lock: job.lock, progress: 1 }));
		clock.leap(51_000);
		// What fails in a sweep is done by the next one.
		const hasty = open({ processing: 100 });
		for (const _ of ["first", "next"]) await again(() => hasty.sweep());
		await pass(86_400);
		await again(() => one.videos.list(principal, { limit: 10 }));
		await again(() => one.videos.get(principal, waiting));
	},
};

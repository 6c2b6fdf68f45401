import type { Job, TranscriptStatus } from "@reelmill/contracts";
import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	bytesOf,
	completion,
	contentOf,
	deliver,
	type OpenedEngine,
	openEngine,
	outputFiles,
	uploadVideo,
} from "../../support/open-engine.ts";

let opened: OpenedEngine;
let tenant: Awaited<ReturnType<OpenedEngine["tenant"]>>;
beforeEach(async () => {
	opened = await openEngine();
	tenant = await opened.tenant();
});
afterEach(() => opened.close());

const words = "WEBVTT\n\n00:00.000 --> 00:01.000\nGood morning\n";
const claim = (takes_transcripts = true) =>
	opened.engine.jobs.claim(opened.worker, { worker: "w", wait_seconds: 0, takes_transcripts });
const request = () => opened.engine.transcripts.request(tenant.domain.id);
const video = (id: string) => opened.engine.videos.get(tenant.principal, id);
const read = (id: string) => opened.engine.transcripts.get(tenant.principal, id);

/** A video that is available, whose worker could make no transcript. */
async function withoutTranscript(): Promise<string> {
	const created = await uploadVideo(opened, tenant.principal, { transcript: true, visibility: "public" });
	const job = await opened.engine.jobs.claimById(opened.worker, created.video.id, { worker: "w" });
	await deliver(opened, job);
	const done = completion(job);
	await opened.engine.jobs.complete(job.id, { ...done, media: { ...done.media, transcript_status: "unavailable" } });
	return job.id;
}
const send = (job: Job, text = words) =>
	opened.engine.jobs.replaceOutputs(
		job.id,
		job.lock,
		(async function* () {
			yield { path: "transcript.vtt", bytes: bytesOf(text) };
		})(),
	);
const end = (job: Job, transcript_status: Exclude<TranscriptStatus, "pending">, files: string[] = []) =>
	opened.engine.jobs.complete(job.id, {
		lock: job.lock,
		outputs: { files, renditions: [] },
		media: {
			duration_seconds: 7.64,
			width: 1,
			height: 1,
			transcript_status,
			language: transcript_status === "available" ? "en" : null,
		},
	});

describe("a transcript that was unavailable", () => {
	it("is made of the finished sound once it is asked for, by a worker that can, after all that waits", async () => {
		const id = await withoutTranscript();
		expect(await claim()).toBeNull();
		expect(await video(id)).toMatchObject({ state: "available", transcript_status: "unavailable" });
		expect(await request()).toEqual({ requested: 1 });
		expect(await request()).toEqual({ requested: 0 });
		expect(await video(id)).toMatchObject({
			state: "available",
			progress: 100,
			transcript_status: "pending",
			transcript_url: null,
		});

		const waiting = await uploadVideo(opened, tenant.principal);
		expect(await claim(false)).toMatchObject({ id: waiting.video.id, kind: "video", transcript: null });
		expect(await claim(false)).toBeNull();
		const job = (await claim()) as Job;
		expect(job).toMatchObject({
			id,
			kind: "transcript",
			attempt: 1,
			transcript: { duration_seconds: 7.64 },
			plan: { transcript: true },
		});
		expect(await claim()).toBeNull();
		const source = await opened.engine.jobs.source(id);
		expect(source.size).toBe(job.source.file_size);
		expect(Buffer.concat(await Array.fromAsync(await source.read())).toString()).toBe("bytes of web.mp4");

		const before = (await opened.engine.usage.get(tenant.principal)).storage_bytes;
		await opened.engine.jobs.heartbeat(id, { lock: job.lock, progress: 50 });
		expect(await opened.engine.jobs.mostEntries(id, job.lock)).toBeGreaterThan(0);
		await send(job);
		expect(await end(job, "available", ["transcript.vtt"])).toEqual({ id, state: "done" });
		const transcript_url = `https://video.example/videos/${id}/transcript.vtt`;
		expect(await video(id)).toMatchObject({ transcript_status: "available", transcript_url });
		expect(await read(id)).toEqual({
			video_id: id,
			status: "available",
			text: "Good morning",
			language: "en",
			transcript_url,
		});
		expect((await opened.engine.usage.get(tenant.principal)).storage_bytes).toBe(before + words.length);
		const file = await opened.engine.serving.open({ videoId: id, path: "transcript.vtt", authorization: null });
		expect(file.size).toBe(words.length);
		await expect(opened.engine.jobs.heartbeat(id, { lock: job.lock, progress: 60 })).rejects.toMatchObject({
			code: "invalid_video_state",
		});
		await expect(opened.engine.jobs.source(id)).rejects.toMatchObject({ code: "file_not_found" });

		await opened.engine.videos.delete(tenant.principal, id);
		expect(await Array.fromAsync(opened.outputs.list(`${tenant.domain.id}/${id}/`))).toEqual([]);
		expect((await opened.engine.usage.get(tenant.principal)).storage_bytes).toBe(waiting.video.file_size);
	});

	it("is asked for once by many who ask at once, and of its own domain alone", async () => {
		const ids = [await withoutTranscript(), await withoutTranscript()];
		const other = await opened.tenant();
		expect(await opened.engine.transcripts.request(other.domain.id)).toEqual({ requested: 0 });
		const answers = await Promise.all(
			Array.from({ length: 5 }, () => createEngine(opened.options).transcripts.request(tenant.domain.id)),
		);
		expect(answers.reduce((sum, { requested }) => sum + requested, 0)).toBe(2);
		expect([(await claim())?.id, (await claim())?.id].toSorted()).toEqual(ids.toSorted());
		await expect(opened.engine.transcripts.request(opened.worker.accountId)).rejects.toMatchObject({
			code: "domain_not_found",
		});
	});

	it("comes before what the sandbox made", async () => {
		const id = await withoutTranscript();
		await request();
		await opened.engine.start();
		const { api_key } = await opened.engine.sandbox.createSession();
		const { video } = await uploadVideo(opened, await opened.engine.keys.authenticate(`Bearer ${api_key}`));
		expect([(await claim())?.id, (await claim())?.id]).toEqual([id, video.id]);
	});

	it("may turn out to be none, with the reason", async () => {
		const id = await withoutTranscript();
		await request();
		await end((await claim()) as Job, "no_speech");
		expect(await read(id)).toMatchObject({ status: "no_speech", text: null });
		expect(await request()).toEqual({ requested: 0 });
	});

	it("goes to another worker when its lock is lost, which the first can't complete it over any more", async () => {
		const id = await withoutTranscript();
		await request();
		const lost = (await claim()) as Job;
		await send(lost, "WEBVTT\n\n00:00.000 --> 00:01.000\nStale\n");
		await opened.clock.advance(91_000);
		const job = (await claim()) as Job;
		expect([job.attempt, job.lock === lost.lock]).toEqual([1, false]);
		const stale = [
			() => send(lost),
			() => end(lost, "available"),
			() => opened.engine.jobs.heartbeat(id, { lock: lost.lock, progress: 1 }),
		];
		for (const write of stale) {
			await expect(write()).rejects.toMatchObject({ code: "not_lock_holder" });
		}
		await expect(end(job, "available", ["transcript.vtt"])).rejects.toMatchObject({ code: "outputs_incomplete" });
		await send(job);
		await end(job, "available", ["transcript.vtt"]);
		expect(await read(id)).toMatchObject({ text: "Good morning" });
	});

	it("is failed after three attempts, or at once for good", async () => {
		const id = await withoutTranscript();
		await request();
		const give = async (retryable: boolean) => {
			const { lock } = (await claim()) as Job;
			return (await opened.engine.jobs.fail(id, { lock, reason: "storage_error", retryable })).state;
		};
		expect(await give(true)).toBe("waiting");
		expect(await claim()).toBeNull();
		await opened.clock.advance(5000);
		expect(await give(true)).toBe("waiting");
		await opened.clock.advance(5000);
		expect(await give(true)).toBe("failed");
		expect(await video(id)).toMatchObject({ state: "available", transcript_status: "failed" });

		const other = await withoutTranscript();
		await request();
		const { lock } = (await claim()) as Job;
		expect(await opened.engine.jobs.fail(other, { lock, reason: "invalid_media", retryable: false })).toEqual({
			id: other,
			state: "failed",
		});
		expect(await video(other)).toMatchObject({ state: "available", transcript_status: "failed", failure_reason: null });
	});

	it("loses no attempt by workers that stop, are lost or at fault, but fails after ten of the last two kinds", async () => {
		const id = await withoutTranscript();
		await request();
		const atFault = { reason: "storage_error", retryable: true, worker_fault: "model_missing" } as const;
		const { lock } = (await claim()) as Job;
		expect(await opened.engine.jobs.fail(id, { lock, ...atFault })).toEqual({ id, state: "waiting" });
		expect(await claim()).toBeNull();
		await opened.clock.advance(5000);
		for (let loss = 2; loss < 10; loss++) {
			const { lock } = (await claim()) as Job;
			const stop = { lock, reason: "storage_error", retryable: true, stopped: true } as const;
			expect(await opened.engine.jobs.fail(id, stop)).toEqual({ id, state: "waiting" });
			expect(await claim()).toMatchObject({ id, attempt: 1 });
			await opened.clock.advance(91_000);
			await opened.engine.sweep();
		}
		expect(await video(id)).toMatchObject({ state: "available", transcript_status: "pending" });
		await claim();
		await opened.clock.advance(91_000);
		expect(await claim()).toBeNull();
		await opened.engine.sweep();
		expect(await video(id)).toMatchObject({ state: "available", transcript_status: "failed" });
	});

	it("goes to another worker after one was at fault or lost, if another is there", async () => {
		const ids = [await withoutTranscript(), await withoutTranscript()];
		await request();
		const ask = (worker: string) =>
			opened.engine.jobs.claim(opened.worker, { worker, wait_seconds: 0, takes_transcripts: true });
		const busy = (await ask("healthy")) as Job;
		const id = ids.find((one) => one !== busy.id) as string;
		const pass = async (minutes: number) => {
			for (let passed = 0; passed < minutes; passed++) {
				await opened.clock.advance(60_000);
				await opened.engine.jobs.heartbeat(busy.id, { lock: busy.lock, progress: 1 });
			}
		};
		const { lock } = (await ask("sick")) as Job;
		const fault = { lock, reason: "storage_error", retryable: true, worker_fault: "program_killed" } as const;
		await opened.engine.jobs.fail(id, fault);
		await pass(9);
		expect(await ask("sick")).toBeNull();
		await pass(1);
		expect(await ask("sick")).toMatchObject({ id });
		// It is killed.
		await pass(2);
		expect(await ask("sick")).toBeNull();
		expect(await ask("healthy")).toMatchObject({ id });
	});

	it("is forgotten with its video", async () => {
		const id = await withoutTranscript();
		await request();
		const { lock } = (await claim()) as Job;
		await opened.engine.videos.delete(tenant.principal, id);
		await expect(opened.engine.jobs.heartbeat(id, { lock, progress: 1 })).rejects.toMatchObject({
			code: "video_not_found",
		});
		await opened.engine.sweep();
		expect(await opened.database.query({ text: "select from reelmill.transcriptions", values: [] })).toEqual([]);
	});

	it("has a video whose other files stay as they are", async () => {
		const id = await withoutTranscript();
		await request();
		const job = (await claim()) as Job;
		await send(job);
		await end(job, "available", ["transcript.vtt"]);
		for (const path of outputFiles.filter((one) => !one.startsWith("frames/"))) {
			const { size } = await opened.engine.serving.open({ videoId: id, path, authorization: null });
			expect(size).toBe(contentOf(path).length);
		}
	});
});

import { type Job, outputSumsFile } from "@reelmill/contracts";
import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { beforeStatement, saving } from "../support/before-statement.ts";
import {
	bytesOf,
	completion,
	deliver,
	finishJob,
	type OpenedEngine,
	openEngine,
	uploadVideo,
} from "../support/open-engine.ts";

let opened: OpenedEngine;
let tenant: Awaited<ReturnType<OpenedEngine["tenant"]>>;
beforeEach(async () => {
	opened = await openEngine();
	tenant = await opened.tenant();
});
afterEach(() => opened.close());

const jobs = () => opened.engine.jobs;
const claim = (id: string) => jobs().claimById(opened.worker, id, { worker: "w" });
const digest = "a".repeat(64);
const pieces = [1, 2].map((n) => ({ first_frame: n * 50, end_frame: n * 50 + 50, digest, speed: "balanced" as const }));
const takeChunk = async (): Promise<Job> => {
	const job = await jobs().claim(opened.worker, { worker: "w", wait_seconds: 0, takes_chunks: true, machine: "m" });
	if (job?.kind !== "chunk") throw new Error("no chunk was given out");
	return job;
};

/** All that lies in the domain's folder and is no file of a video that is available, nor the sums of them. */
async function strays(): Promise<string[]> {
	const rows = await opened.database.query<{ outputs: { prefix: string; files: object; added?: object } }>({
		text: "select outputs from reelmill.videos where state = 'available' and deleted_at is null",
		values: [],
	});
	const named = new Set(
		rows.flatMap(({ outputs: { prefix, files, added = {} } }) =>
			[...Object.keys(files), outputSumsFile].map((path) => ((added as Record<string, string>)[path] ?? prefix) + path),
		),
	);
	const stored = await Array.fromAsync(opened.outputs.list(`${tenant.domain.id}/`), ({ key }) => key);
	return stored.filter((key) => !named.has(key));
}
async function notes(): Promise<number> {
	return (await opened.database.query({ text: "select from reelmill.deletions", values: [] })).length;
}
/** Until everything that is noted is due. */
async function untilAllIsDue(): Promise<void> {
	await opened.clock.advance(86_400_000);
	await opened.engine.sweep();
}

/** An archive that another server stores. It goes on when it is told to, and that server is then killed over it. */
async function halfArchive({ id, lock }: Job, part?: "playable") {
	const [begun, told, reached] = [gate(), gate(), gate()];
	const killed = createEngine(opened.options);
	async function* entries() {
		begun.open();
		await told.opened;
		yield { path: "web.mp4", bytes: bytesOf("half an archive") };
		reached.open();
		await gate().opened;
	}
	void killed.jobs.replaceOutputs(id, lock, entries(), part);
	await begun.opened;
	return () => {
		told.open();
		return reached.opened;
	};
}
function gate() {
	let open = () => {};
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	return { opened, open };
}

const failing = (job: Job, retryable: boolean) =>
	jobs().fail(job.id, { lock: job.lock, reason: "storage_error", retryable });
const afterwards = async (job: Job) => {
	await opened.clock.advance(90_000);
	await opened.engine.sweep();
	return claim(job.id);
};
const ends: Readonly<Record<string, (job: Job) => Promise<unknown>>> = {
	"another attempt completes its video": async (job) => finishJob(opened, await afterwards(job)),
	"another archive completes its video": (job) => finishJob(opened, job),
	"its video is cancelled": ({ id }) => opened.engine.videos.cancel(tenant.principal, id),
	"its video is deleted": ({ id }) => opened.engine.videos.delete(tenant.principal, id),
	"its domain is deleted": () => opened.engine.admin.deleteDomain(tenant.domain.id),
	"it is given back": (job) => failing(job, true),
	"its job fails": (job) => failing(job, false),
	"its job loses one worker after the other": async (job) => {
		await opened.database.query({ text: "update reelmill.jobs set fruitless = 9", values: [] });
		await opened.clock.advance(90_000);
		await opened.engine.sweep();
		const video = await opened.engine.videos.get(tenant.principal, job.id);
		expect(video).toMatchObject({ state: "failed", failure_reason: "retries_exhausted" });
	},
};

describe.each(Object.entries(ends))(
	"nothing of an archive is left that a killed server was storing when %s",
	(_, end) => {
		it.each(["whole", "playable"] as const)("(%s outputs)", async (part) => {
			const { video } = await uploadVideo(opened, tenant.principal);
			const job = await claim(video.id);
			const goOn = await halfArchive(job, part === "playable" ? part : undefined);
			await end(job);
			await opened.engine.sweep();
			await goOn();
			expect(await strays()).toHaveLength(1);
			await untilAllIsDue();
			await untilAllIsDue();
			expect([await strays(), await notes()]).toEqual([[], 0]);
		});

		it("(of a chunk)", async () => {
			const { video } = await uploadVideo(opened, tenant.principal);
			const job = await claim(video.id);
			await jobs().offerChunks(job.id, { lock: job.lock, chunks: pieces });
			const goOn = await halfArchive(await takeChunk());
			await end(job);
			await opened.engine.sweep();
			await goOn();
			expect(await strays()).toHaveLength(1);
			await untilAllIsDue();
			await untilAllIsDue();
			expect([await strays(), await notes()]).toEqual([[], 0]);
		});
	},
);

it("an archive that is named stays, however late it is named", async () => {
	const { video } = await uploadVideo(opened, tenant.principal);
	const job = await claim(video.id);
	await deliver(opened, job);
	expect(await notes()).toBe(0);
	await jobs().complete(job.id, completion(job));
	await untilAllIsDue();
	expect((await opened.engine.videos.get(tenant.principal, video.id)).state).toBe("available");
	expect([await strays(), (await Array.fromAsync(opened.outputs.list(`${tenant.domain.id}/`))).length]).toEqual([
		[],
		5,
	]);
});

it.each([true, false])(
	"what becomes playable while its attempt ends is removed with it (for another attempt: %s)",
	async (retryable) => {
		const { video } = await uploadVideo(opened, tenant.principal);
		const job = await claim(video.id);
		async function* entries() {
			yield { path: "web.mp4", bytes: bytesOf("playable") };
		}
		const send = () => jobs().replaceOutputs(job.id, job.lock, entries(), "playable");
		const slow = createEngine({ ...opened.options, database: beforeStatement(opened.database, saving, send) });
		await slow.jobs.fail(job.id, { lock: job.lock, reason: "storage_error", retryable });
		await opened.engine.sweep();
		expect([await strays(), await notes()]).toEqual([[], 0]);
	},
);

describe("finished chunks that a later attempt keeps", () => {
	const finishedChunk = async () => {
		const { video } = await uploadVideo(opened, tenant.principal);
		const job = await claim(video.id);
		await jobs().offerChunks(job.id, { lock: job.lock, chunks: pieces });
		const chunk = await takeChunk();
		async function* entries() {
			yield { path: "h264_720.mp4", bytes: bytesOf("0123456789") };
		}
		await jobs().replaceOutputs(chunk.id, chunk.lock, entries());
		const files = [{ path: "h264_720.mp4", size: 10, sha256: digest }];
		await jobs().complete(chunk.id, { ...completion(chunk), outputs: { files, renditions: [] } });
		return afterwards(job);
	};

	it("go with what was stored for them once it cuts its source in another way", async () => {
		const second = await finishedChunk();
		await opened.engine.sweep();
		expect(await strays()).toHaveLength(1);
		const others = pieces.map((piece) => ({ ...piece, digest: "b".repeat(64) }));
		await jobs().offerChunks(second.id, { lock: second.lock, chunks: others });
		await opened.engine.sweep();
		expect([await strays(), await notes()]).toEqual([[], 0]);
	});

	it("go with what was stored for them if the job fails, and if a server of an older version ended it", async () => {
		const second = await finishedChunk();
		await jobs().offerChunks(second.id, { lock: second.lock, chunks: pieces });
		await failing(second, false);
		await opened.engine.sweep();
		expect([await strays(), await notes()]).toEqual([[], 0]);
		const another = await finishedChunk();
		await jobs().offerChunks(another.id, { lock: another.lock, chunks: pieces });
		await opened.database.query({ text: "delete from reelmill.jobs where id = $1", values: [another.id] });
		await opened.engine.sweep();
		expect([await strays(), await notes()]).toEqual([[], 0]);
	});
});

describe("of a transcript's attempts", () => {
	const claimTranscript = async (): Promise<Job> => {
		const job = await jobs().claim(opened.worker, { worker: "w", wait_seconds: 0, takes_transcripts: true });
		if (job?.kind !== "transcript") throw new Error("no transcript was given out");
		return job;
	};
	const send = async (job: Job) => {
		async function* entries() {
			yield { path: "transcript.vtt", bytes: bytesOf("WEBVTT\n") };
		}
		await jobs().replaceOutputs(job.id, job.lock, entries());
	};
	const complete = (job: Job, transcript_status: "available" | "failed") =>
		jobs().complete(job.id, {
			lock: job.lock,
			outputs: { files: [], renditions: [] },
			media: { duration_seconds: 7.64, width: 1, height: 1, transcript_status, language: null },
		});
	let transcript: Job;
	beforeEach(async () => {
		const { video } = await uploadVideo(opened, tenant.principal, { transcript: true });
		const job = await claim(video.id);
		await deliver(opened, job);
		const done = completion(job);
		await jobs().complete(job.id, { ...done, media: { ...done.media, transcript_status: "unavailable" } });
		await opened.engine.transcripts.request(tenant.domain.id);
		transcript = await claimTranscript();
		await send(transcript);
	});
	const nothingIsLeft = async () => {
		await opened.engine.sweep();
		expect([await strays(), await notes()]).toEqual([[], 0]);
	};

	it("nothing is left but the last archive of the one that completes it", async () => {
		await send(transcript);
		await jobs().fail(transcript.id, { lock: transcript.lock, reason: "storage_error", retryable: true });
		await nothingIsLeft();
		await opened.clock.advance(5000);
		const lost = await claimTranscript();
		await send(lost);
		await opened.clock.advance(90_000);
		const last = await claimTranscript();
		await nothingIsLeft();
		await send(last);
		await send(last);
		await complete(last, "available");
		await nothingIsLeft();
		expect(await opened.engine.transcripts.get(tenant.principal, last.id)).toMatchObject({ text: expect.anything() });
	});

	it("nothing is left if none completes it", async () => {
		await complete(transcript, "failed");
		await nothingIsLeft();
	});

	it("nothing is left if the last one fails, or is lost", async () => {
		await jobs().fail(transcript.id, { lock: transcript.lock, reason: "storage_error", retryable: false });
		await nothingIsLeft();
	});

	it("nothing is left of an archive that a killed server was storing", async () => {
		const goOn = await halfArchive(transcript);
		await complete(transcript, "available");
		await goOn();
		expect(await strays()).toHaveLength(1);
		await untilAllIsDue();
		expect([await strays(), await notes()]).toEqual([[], 0]);
	});
});

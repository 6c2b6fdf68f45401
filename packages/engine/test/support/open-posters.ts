import type { Job } from "@reelmill/contracts";
import { expect } from "vitest";
import { bytesOf, finishJob, type OpenedEngine, openEngine, uploadVideo } from "./open-engine.ts";

export type Posters = Awaited<ReturnType<typeof openPosters>>;

/** An engine with a tenant who chooses posters, and the worker that makes them. */
export async function openPosters() {
	const opened: OpenedEngine = await openEngine();
	const tenant = await opened.tenant();
	const { engine } = opened;
	const { posters, jobs } = engine;
	const files = (job: Job) => ["poster.jpg", "og.jpg", ...(job.poster?.preview ? ["preview.webp"] : [])];
	const claim = (takes_posters = true, worker = "w") =>
		jobs.claim(opened.worker, { worker, wait_seconds: 0, takes_posters });
	const send = (job: Job, says: string, server = engine) =>
		server.jobs.replaceOutputs(
			job.id,
			job.lock,
			(async function* () {
				for (const path of files(job)) yield { path, bytes: bytesOf(`${says} ${path}`) };
			})(),
		);
	const end = (job: Job, server = engine) =>
		server.jobs.complete(job.id, {
			lock: job.lock,
			outputs: { files: files(job), renditions: [] },
			media: { duration_seconds: 1, width: 1, height: 1, transcript_status: "disabled", language: null },
		});
	return {
		opened,
		tenant,
		claim,
		send,
		end,
		get: (id: string) => posters.get(tenant.principal, id),
		put: (id: string, at_seconds: number, preview = false) =>
			posters.put(tenant.principal, id, { at_seconds, preview }),
		async make(says: string): Promise<Job> {
			const job = (await claim()) as Job;
			await send(job, says);
			expect(await end(job)).toEqual({ id: job.id, state: "done" });
			return job;
		},
		/** Makes a video that is available, and returns its id. */
		async available(visibility: "public" | "private" = "public"): Promise<string> {
			const created = await uploadVideo(opened, tenant.principal, { visibility });
			await finishJob(opened, await jobs.claimById(opened.worker, created.video.id, { worker: "w" }));
			return created.video.id;
		},
		async bytes(id: string, path: string): Promise<string> {
			const file = await engine.serving.open({ videoId: id, path, authorization: null });
			return Buffer.concat(await Array.fromAsync(await file.read())).toString();
		},
		/** The names of what is stored of a video's posters, in order. */
		async stored(id: string): Promise<(string | undefined)[]> {
			const objects = await Array.fromAsync(opened.outputs.list(`${tenant.domain.id}/${id}/posters/`));
			return objects.map(({ key }) => key.split("/").at(-1)).toSorted();
		},
		/** What rows and storage differ in, however young it is. */
		check: async () => (await engine.check.step({ young: true })).differences,
	};
}

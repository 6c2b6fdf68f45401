import { type CreatedOutro, type CreateOutro, type Job, outputSumsFile } from "@reelmill/contracts";
import type { TenantPrincipal } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	bytesOf,
	clip,
	clipBytes,
	completion,
	deliver,
	finishJob,
	type OpenedEngine,
	openEngine,
} from "../support/open-engine.ts";

let opened: OpenedEngine;
let principal: TenantPrincipal;
let domainId: string;
beforeEach(async () => {
	opened = await openEngine();
	const tenant = await opened.tenant();
	principal = tenant.principal;
	domainId = tenant.domain.id;
});
afterEach(() => opened.close());

const create = (input: Partial<CreateOutro> = {}) =>
	opened.engine.outros.create(principal, { slug: "tail", ...clip, ...input });
const get = (slug = "tail") => opened.engine.outros.get(principal, slug);
const tokenOf = ({ upload }: CreatedOutro) => opened.engine.uploads.authenticate(`Bearer ${upload.token}`);
async function upload(created: CreatedOutro): Promise<void> {
	const token = await tokenOf(created);
	await opened.engine.uploads.create(token, { videoId: created.outro.id, length: 10 });
	await opened.engine.uploads.append(token, created.outro.id, 0, bytesOf(clipBytes));
}
const claim = (id: string) => opened.engine.jobs.claimById(opened.worker, id, { worker: "w" });
async function finish(job: Job, mezzanine = "the mezzanine"): Promise<void> {
	const files = (async function* () {
		yield { path: "mezzanine.mp4", bytes: bytesOf(mezzanine) };
	})();
	await opened.engine.jobs.replaceOutputs(job.id, job.lock, files);
	await opened.engine.jobs.complete(job.id, {
		...completion(job),
		outputs: { files: ["mezzanine.mp4"], renditions: [] },
	});
}
/** An outro that serves; answers its id. */
async function available(input: Partial<CreateOutro> = {}): Promise<string> {
	const created = await create(input);
	await upload(created);
	await finish(await claim(created.outro.id));
	return created.outro.id;
}
const pin = async (input: object = { outro_slug: "tail" }) =>
	(await opened.engine.videos.create(principal, { ...clip, ...input })).video.outro_id;
/** A video with this outro whose upload is in. */
async function uploadedVideo(): Promise<string> {
	const { video, upload: ticket } = await opened.engine.videos.create(principal, { ...clip, outro_slug: "tail" });
	const token = await opened.engine.uploads.authenticate(`Bearer ${ticket.token}`);
	await opened.engine.uploads.create(token, { videoId: video.id, length: 10 });
	await opened.engine.uploads.append(token, video.id, 0, bytesOf(clipBytes));
	return video.id;
}
const usage = () => opened.engine.usage.get(principal);
/** The names of all files that are stored, but of those with sums. */
const stored = async () =>
	(await Array.fromAsync(opened.outputs.list(`${domainId}/`), ({ key }) => key.split("/").at(-1))).filter(
		(name) => name !== outputSumsFile,
	);

describe("an outro", () => {
	it("is previewed as what new videos get, to its own tenant alone, and never as something else than MP4", async () => {
		const preview = (who = principal, slug = "tail") => opened.engine.outros.preview(who, slug);
		const first = await create();
		await expect(preview()).rejects.toMatchObject({ code: "outro_not_ready" });
		await upload(first);
		await finish(await claim(first.outro.id), "\0\0\0\x18ftypisom the first");
		expect(Buffer.from(await preview()).toString("latin1")).toContain("the first");
		const second = await create();
		expect(Buffer.from(await preview()).toString("latin1")).toContain("the first");
		await upload(second);
		await finish(await claim(second.outro.id), "<script>alert(1)</script>");
		await expect(preview()).rejects.toMatchObject({ code: "storage_unavailable" });
		const { principal: other } = await opened.tenant();
		await expect(preview(other)).rejects.toMatchObject({ code: "outro_not_found" });
		await expect(preview(principal, "../tail")).rejects.toMatchObject({ code: "outro_not_found" });
	});

	it("is uploaded, encoded to a mezzanine and then served, by the same plane and workers as videos", async () => {
		const created = await create({ duration_seconds: 3, label: "The spring one" });
		const { id } = created.outro;
		expect(created.upload.metadata.video_id).toBe(id);
		expect(await get()).toEqual({
			id,
			slug: "tail",
			state: "uploading",
			label: "The spring one",
			serving_outro_id: null,
			failure_reason: null,
			content_type: "video/mp4",
			file_size: 10,
			duration_seconds: 3,
			width: null,
			height: null,
			created_at: expect.any(String),
			updated_at: expect.any(String),
		});
		expect(await get()).toEqual(created.outro);
		await upload(created);
		expect((await get()).state).toBe("encoding");
		const job = await claim(id);
		expect(job).toMatchObject({
			id,
			kind: "outro",
			source: { file_size: 10 },
			limits: { max_duration_seconds: 180 },
			outro: null,
		});
		await opened.engine.jobs.heartbeat(id, { lock: job.lock, progress: 50 });
		await finish(job);
		expect(await get()).toMatchObject({
			state: "available",
			serving_outro_id: id,
			duration_seconds: 7.64,
			width: 1280,
			height: 720,
		});
	});

	it("needs its mezzanine to be there, whatever the worker says", async () => {
		const created = await create();
		await upload(created);
		const job = await claim(created.outro.id);
		await deliver(opened, job);
		await expect(opened.engine.jobs.complete(job.id, completion(job))).rejects.toMatchObject({
			code: "outputs_incomplete",
			extras: { missing: ["mezzanine.mp4"] },
		});
		expect((await get()).state).toBe("encoding");
	});

	it("is no video: not listed, read, deleted, cancelled, delivered, told of or counted as encoded", async () => {
		await opened.engine.domains.updateConfig(domainId, {
			webhook_url: "https://hooks.example/",
			webhook_secret: "whsec_x",
			default_visibility: "public",
		});
		const id = await available();
		expect((await opened.engine.videos.list(principal, { limit: 20 })).data).toEqual([]);
		for (const operation of ["get", "delete", "cancel", "report"] as const) {
			await expect(opened.engine.videos[operation](principal, id)).rejects.toMatchObject({ code: "video_not_found" });
		}
		const key = await opened.engine.playback.createKey(principal, { viewer_ref: "v", ttl_seconds: 60 });
		const authorization = `Bearer ${key.playback_key}`;
		await expect(
			opened.engine.serving.open({ videoId: id, path: "mezzanine.mp4", authorization }),
		).rejects.toMatchObject({ code: "playback_key_invalid" });
		expect(await opened.database.query({ text: "select id from reelmill.webhook_deliveries", values: [] })).toEqual([]);
		expect(await usage()).toMatchObject({ encoded_seconds: 0 });
	});

	it("counts towards the day's bytes and the storage as a video does", async () => {
		const before = (await usage()).remaining;
		const created = await create();
		expect((await usage()).remaining).toMatchObject({
			upload_bytes: before.upload_bytes - 10,
			storage_bytes: before.storage_bytes - 10,
		});
		await upload(created);
		expect(await usage()).toMatchObject({ uploaded_bytes: 10, storage_bytes: 10 });
		await finish(await claim(created.outro.id));
		expect(await usage()).toMatchObject({ storage_bytes: "the mezzanine".length });
		await opened.engine.outros.delete(principal, "tail");
		expect(await usage()).toMatchObject({ storage_bytes: 0, uploaded_bytes: 10 });
	});

	it("is checked in the order of videos: type, size, length, quotas, the number of outros", async () => {
		await opened.engine.domains.updateConfig(domainId, { max_file_bytes: 100, max_duration_seconds: 100 });
		const all = { content_type: "image/png", file_size: 101, duration_seconds: 101 };
		await expect(create(all)).rejects.toMatchObject({ code: "invalid_content_type" });
		await expect(create({ ...all, content_type: "video/mp4" })).rejects.toMatchObject({ code: "file_too_large" });
		await expect(create({ duration_seconds: 101 })).rejects.toMatchObject({ code: "duration_too_long" });
		await opened.engine.admin.updateDomain(domainId, { limits: { daily_upload_bytes: 9 } });
		await expect(create()).rejects.toMatchObject({ code: "upload_quota_exceeded" });
		await opened.engine.admin.updateDomain(domainId, { limits: { daily_upload_bytes: 1000, storage_bytes_limit: 9 } });
		await expect(create()).rejects.toMatchObject({ code: "storage_quota_exceeded" });
	});

	it("is one of fifty at most, however many come at once; a replacement needs no place", async () => {
		const outcomes = await Promise.allSettled(
			Array.from({ length: 60 }, (_, index) => create({ slug: `slug-${index}` })),
		);
		const refused = outcomes.filter((outcome) => outcome.status === "rejected");
		expect(refused.map(({ reason }) => reason.code)).toEqual(Array.from({ length: 10 }, () => "outro_limit_reached"));
		const all = await opened.engine.outros.list(principal);
		expect(new Set(all.map(({ slug }) => slug)).size).toBe(50);
		const [first] = all;
		await create({ slug: first?.slug ?? "" });
		await opened.engine.outros.delete(principal, first?.slug ?? "");
		await create({ slug: "one-more" });
		await expect(create({ slug: "too-many" })).rejects.toMatchObject({ code: "outro_limit_reached" });
	});

	it("is the tenant's own", async () => {
		await available();
		const { principal: stranger } = await opened.tenant();
		expect(await opened.engine.outros.list(stranger)).toEqual([]);
		await expect(opened.engine.outros.get(stranger, "tail")).rejects.toMatchObject({ code: "outro_not_found" });
		await expect(opened.engine.outros.delete(stranger, "tail")).rejects.toMatchObject({ code: "outro_not_found" });
		await expect(opened.engine.videos.create(stranger, { ...clip, outro_slug: "tail" })).rejects.toMatchObject({
			code: "outro_not_found",
		});
	});

	it("fails with upload_expired when its upload doesn't come within the hour", async () => {
		await create();
		await opened.clock.advance(3_600_000);
		await opened.engine.sweep();
		expect(await get()).toMatchObject({ state: "failed", failure_reason: "upload_expired", serving_outro_id: null });
		expect((await usage()).remaining.storage_bytes).toBe((await usage()).limits.storage_bytes_limit);
	});

	it("frees its slug when its upload is terminated and nothing serves it", async () => {
		const created = await create();
		await opened.engine.uploads.terminate(await tokenOf(created), created.outro.id);
		await expect(get()).rejects.toMatchObject({ code: "outro_not_found" });
	});

	it("fails with the worker's reason, or after three attempts", async () => {
		const created = await create();
		await upload(created);
		const { lock } = await claim(created.outro.id);
		await opened.engine.jobs.fail(created.outro.id, { lock, reason: "no_video_stream", retryable: false });
		expect(await get()).toMatchObject({ state: "failed", failure_reason: "no_video_stream" });
		const again = await create();
		await upload(again);
		for (let attempt = 0; attempt < 3; attempt++) {
			const { lock } = await claim(again.outro.id);
			await opened.engine.jobs.fail(again.outro.id, { lock, reason: "storage_error", retryable: true });
			await opened.clock.advance(20_000);
		}
		expect(await get()).toMatchObject({ id: again.outro.id, state: "failed", failure_reason: "retries_exhausted" });
	});

	it("goes with its domain", async () => {
		await available();
		await create();
		await opened.engine.admin.deleteDomain(domainId);
		await opened.engine.sweep();
		expect(await stored()).toEqual([]);
		expect(await opened.database.query({ text: "select from reelmill.outros", values: [] })).toEqual([]);
	});
});

describe("a replacement", () => {
	it("leaves the old asset serving until it is available, and then pins the new one", async () => {
		const old = await available();
		const created = await create({ label: "New" });
		expect(created.outro).toMatchObject({ state: "uploading", serving_outro_id: old });
		expect(await get()).toMatchObject({
			id: created.outro.id,
			label: "New",
			state: "uploading",
			serving_outro_id: old,
		});
		expect(await pin()).toBe(old);
		await upload(created);
		expect(await pin()).toBe(old);
		await finish(await claim(created.outro.id));
		expect(await get()).toMatchObject({ state: "available", serving_outro_id: created.outro.id });
		expect(await pin()).toBe(created.outro.id);
		expect(await opened.engine.outros.list(principal)).toHaveLength(1);
	});

	it("that fails, or is terminated, leaves the old asset serving", async () => {
		const old = await available();
		const created = await create();
		await opened.engine.uploads.terminate(await tokenOf(created), created.outro.id);
		expect(await get()).toMatchObject({ state: "failed", failure_reason: "upload_cancelled", serving_outro_id: old });
		const next = await create();
		await upload(next);
		const { lock } = await claim(next.outro.id);
		await opened.engine.jobs.fail(next.outro.id, { lock, reason: "invalid_media", retryable: false });
		expect(await get()).toMatchObject({ state: "failed", failure_reason: "invalid_media", serving_outro_id: old });
		expect(await pin()).toBe(old);
	});

	it("gives up one that was on its way: its upload is not pending, its job is not worked on", async () => {
		const first = await create();
		const second = await create();
		await expect(opened.engine.uploads.status(await tokenOf(first), first.outro.id)).rejects.toMatchObject({
			code: "upload_not_pending",
		});
		await upload(second);
		const job = await claim(second.outro.id);
		const third = await create();
		await expect(finish(job)).rejects.toMatchObject({ code: "video_not_found" });
		expect(await get()).toMatchObject({ id: third.outro.id, state: "uploading", serving_outro_id: null });
	});

	it("of many at once leaves one asset on its way, and nothing reserved for the others", async () => {
		await Promise.all(Array.from({ length: 10 }, () => create()));
		await opened.engine.sweep();
		const { id } = await get();
		const pending = await opened.database.query<{ id: string }>({
			text: "select id from reelmill.videos where kind = 'outro' and deleted_at is null",
			values: [],
		});
		expect(pending).toEqual([{ id }]);
		const { limits, remaining } = await usage();
		expect(limits.storage_bytes_limit - remaining.storage_bytes).toBe(10);
	});

	it("removes the old bytes once no unfinished video needs them", async () => {
		await available();
		const video = await uploadedVideo();
		await available();
		await opened.engine.sweep();
		const job = await claim(video);
		expect(job.outro).toEqual({ file_size: "the mezzanine".length });
		expect(await stored()).toEqual(["mezzanine.mp4", "mezzanine.mp4"]);
		await finishJob(opened, job);
		await opened.engine.sweep();
		expect((await stored()).filter((name) => name === "mezzanine.mp4")).toHaveLength(1);
	});
});

describe("a video", () => {
	it("pins what answers to the slug at its initiate, and keeps it", async () => {
		await expect(pin()).rejects.toMatchObject({ code: "outro_not_found" });
		const created = await create();
		await expect(pin()).rejects.toMatchObject({ code: "outro_not_ready" });
		await upload(created);
		await expect(pin()).rejects.toMatchObject({ code: "outro_not_ready" });
		await finish(await claim(created.outro.id));
		const video = await uploadedVideo();
		await available();
		expect((await opened.engine.videos.get(principal, video)).outro_id).toBe(created.outro.id);
		expect((await claim(video)).plan.outro_id).toBe(created.outro.id);
	});

	it("gets the domain's default unless it asks for another or for none", async () => {
		const id = await available();
		expect(await pin({})).toBeNull();
		await opened.engine.domains.updateConfig(domainId, { default_outro_slug: "tail" });
		expect(await pin({})).toBe(id);
		expect(await pin({ outro_slug: null })).toBeNull();
		const other = await available({ slug: "other" });
		expect(await pin({ outro_slug: "other" })).toBe(other);
		await opened.engine.domains.updateConfig(domainId, { default_outro_slug: "nobody" });
		await expect(pin({})).rejects.toMatchObject({ code: "outro_not_found" });
	});

	it("names the outro in its outputs where its worker appended it", async () => {
		const id = await available();
		const outroOf = async (hasOutro?: boolean) => {
			const job = await claim(await uploadedVideo());
			await deliver(opened, job);
			const { outputs, ...rest } = completion(job);
			await opened.engine.jobs.complete(job.id, {
				...rest,
				outputs: { ...outputs, ...(hasOutro !== undefined && { has_outro: hasOutro }) },
			});
			return (await opened.engine.videos.get(principal, job.id)).outputs?.web_mp4_outro_id;
		};
		expect(await outroOf(true)).toBe(id);
		expect(await outroOf(false)).toBeNull();
		expect(await outroOf()).toBeNull();
	});

	it("gives its worker the mezzanine", async () => {
		await available();
		const job = await claim(await uploadedVideo());
		const { size, read } = await opened.engine.jobs.outro(job.id);
		expect(Buffer.concat(await Array.fromAsync(await read())).toString()).toBe("the mezzanine");
		expect(size).toBe(13);
		const without = await opened.engine.videos.create(principal, clip);
		await expect(opened.engine.jobs.outro(without.video.id)).rejects.toMatchObject({ code: "file_not_found" });
	});
});

describe("deleting an outro", () => {
	it("frees the slug, takes it back as the default and removes every byte", async () => {
		await available();
		const incoming = await create();
		await opened.engine.domains.updateConfig(domainId, { default_outro_slug: "tail" });
		await opened.engine.outros.delete(principal, "tail");
		await expect(opened.engine.outros.delete(principal, "tail")).rejects.toMatchObject({ code: "outro_not_found" });
		expect((await opened.engine.domains.get(domainId)).config.default_outro_slug).toBeNull();
		expect(await stored()).toEqual([]);
		await expect(opened.engine.uploads.status(await tokenOf(incoming), incoming.outro.id)).rejects.toMatchObject({
			code: "upload_not_pending",
		});
		expect(await opened.engine.outros.list(principal)).toEqual([]);
		expect(await pin({})).toBeNull();
	});

	it("leaves another slug the default", async () => {
		await available();
		await opened.engine.domains.updateConfig(domainId, { default_outro_slug: "other" });
		await opened.engine.outros.delete(principal, "tail");
		expect((await opened.engine.domains.get(domainId)).config.default_outro_slug).toBe("other");
	});

	it("fails no video that pinned it: its worker is told that there is none", async () => {
		await available();
		const waiting = await uploadedVideo();
		const running = await claim(await uploadedVideo());
		await opened.engine.outros.delete(principal, "tail");
		expect((await claim(waiting)).outro).toBeNull();
		await expect(opened.engine.jobs.outro(running.id)).rejects.toMatchObject({ code: "file_not_found" });
		await finishJob(opened, running);
		expect(await opened.engine.videos.get(principal, running.id)).toMatchObject({
			state: "available",
			outputs: { web_mp4_outro_id: null },
		});
	});

	it("is finished by a sweep where the server died in between", async () => {
		const id = await available();
		await opened.database.query({
			text: "select * from reelmill.delete_outro($1::uuid, $2)",
			values: [domainId, "tail"],
		});
		expect(await stored()).toEqual(["mezzanine.mp4"]);
		await opened.engine.sweep();
		expect(await stored()).toEqual([]);
		await expect(claim(id)).rejects.toMatchObject({ code: "video_not_claimable" });
	});

	it("at the same moment as videos are initiated pins nothing that is gone, and deadlocks with nothing", async () => {
		const id = await available();
		const outcomes = await Promise.allSettled([
			...Array.from({ length: 10 }, () => pin()),
			opened.engine.outros.delete(principal, "tail"),
			...Array.from({ length: 10 }, () => pin()),
			create(),
		]);
		for (const outcome of outcomes) {
			if (outcome.status === "rejected") expect(["outro_not_found", "outro_not_ready"]).toContain(outcome.reason.code);
			else if (typeof outcome.value === "string") expect(outcome.value).toBe(id);
		}
	});
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import type { CreatedVideo, StorageProfile } from "@reelmill/contracts";
import { createEngine, type Engine, type TenantPrincipal } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { collected, createLocalBuckets, type LocalBuckets } from "../support/local-buckets.ts";
import {
	archivedFiles,
	bytesOf,
	clip,
	clipBytes,
	finishJob,
	type OpenedEngine,
	openEngine,
	uploadVideo,
} from "../support/open-engine.ts";

const secret = "secret-of-the-tenant";
const profile = (bucket: string, more: Partial<StorageProfile> = {}): StorageProfile => ({
	backend: "s3_tenant",
	endpoint: "https://s3.example",
	bucket,
	access_key_id: "AKIDTENANT",
	secret_access_key: secret,
	...more,
});

let opened: OpenedEngine;
let engine: Engine;
let buckets: LocalBuckets;
let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-buckets-"));
	buckets = createLocalBuckets(directory);
	opened = await openEngine({ buckets });
	({ engine } = opened);
	for (const name of ["one", "two"]) await buckets.make(name, { AKIDTENANT: secret });
});
afterEach(async () => {
	await opened.close();
	await rm(directory, { recursive: true });
});

/** A tenant that stores in this bucket. */
async function tenantIn(bucket: string, more: Partial<StorageProfile> = {}): Promise<TenantPrincipal> {
	const { principal } = await opened.tenant();
	await engine.storage.put(principal.domainId, profile(bucket, more));
	return principal;
}
const claim = (id: string) => engine.jobs.claimById(opened.worker, id, { worker: "w" });
async function available(principal: TenantPrincipal, input = {}): Promise<string> {
	const { video } = await uploadVideo(opened, principal, input);
	await finishJob(opened, await claim(video.id));
	return video.id;
}
const text = async (principal: TenantPrincipal, id: string, path: string): Promise<string> => {
	const { playback_key } = await engine.playback.createKey(principal, { viewer_ref: "v", ttl_seconds: 60 });
	return (
		await collected(
			await (await engine.serving.open({ videoId: id, path, authorization: `Bearer ${playback_key}` })).read(),
		)
	).toString();
};
const tokenOf = ({ upload }: CreatedVideo) => engine.uploads.authenticate(`Bearer ${upload.token}`);

describe("a video of a domain with a bucket", () => {
	it("lives in it whole, the upload at the root and the outputs under the prefix, and is gone from it once deleted", async () => {
		const principal = await tenantIn("one", { key_prefix: "videos/" });
		const { video } = await uploadVideo(opened, principal);
		expect(await buckets.uploadsIn("one")).toEqual([video.id]);
		const job = await claim(video.id);
		expect(await engine.jobs.source(video.id)).toMatchObject({
			elsewhere: { url: `bucket://one/uploads/${video.id}?signature`, owner: "tenant" },
			size: 10,
		});
		await finishJob(opened, job);
		expect(await buckets.uploadsIn("one")).toEqual([]);
		const attempt = `videos/${principal.domainId}/${video.id}/${job.lock}/`;
		const keys = await buckets.keysIn("one");
		expect(keys.map((key) => key.slice(0, attempt.length))).toEqual(archivedFiles.map(() => attempt));
		expect(keys.map((key) => key.slice(attempt.length).split("/").slice(1).join("/"))).toEqual(archivedFiles);
		expect(await text(principal, video.id, "web.mp4")).toBe("bytes of web.mp4");
		for await (const { key } of opened.outputs.list(`${principal.domainId}/`))
			throw new Error(`${key} is on the local disk`);
		await engine.videos.delete(principal, video.id);
		expect(await buckets.keysIn("one")).toEqual([]);
	});

	it("never moves: it stays in the bucket that was chosen when its upload was initiated", async () => {
		const principal = await tenantIn("one");
		const pending = await engine.videos.create(principal, clip);
		const finished = await available(principal);
		await engine.storage.put(principal.domainId, profile("two"));
		const second = await available(principal);
		await engine.storage.delete(principal.domainId);
		const local = await available(principal);

		const token = await tokenOf(pending);
		await engine.uploads.create(token, { videoId: pending.video.id, length: 10 });
		await engine.uploads.append(token, pending.video.id, 0, bytesOf(clipBytes));
		expect(await buckets.uploadsIn("one")).toEqual([pending.video.id]);
		expect(await collected((await opened.uploads.read(pending.video.id))?.bytes ?? bytesOf())).toHaveLength(0);
		for (const id of [finished, second, local]) expect(await text(principal, id, "og.jpg")).toBe("bytes of og.jpg");
		expect((await buckets.keysIn("one")).every((key) => key.includes(finished))).toBe(true);
		expect((await buckets.keysIn("two")).every((key) => key.includes(second))).toBe(true);
		for (const id of [finished, second, local]) await engine.videos.delete(principal, id);
		expect([...(await buckets.keysIn("one")), ...(await buckets.keysIn("two"))]).toEqual([]);
	});

	it("is found by viewers at the bucket's public address while it is public, and on the delivery plane while it is private", async () => {
		const principal = await tenantIn("one", { key_prefix: "/videos/", public_base_url: "https://cdn.example/base/" });
		const { video } = await uploadVideo(opened, principal, { visibility: "public" });
		const { lock, ...job } = await claim(video.id);
		await finishJob(opened, { lock, ...job });
		await engine.sweep();
		const { outputs } = await engine.videos.get(principal, video.id);
		const key = (await buckets.keysIn("one")).find(
			(one) => one.startsWith("videos/public/") && one.endsWith("/web.mp4"),
		);
		expect(key).toMatch(new RegExp(`^videos/public/${video.id}/[0-9a-f-]{36}/web\\.mp4$`));
		expect(outputs?.mp4_url).toBe(`https://cdn.example/base/${key}`);
		expect((await engine.videos.list(principal, { limit: 1 })).data[0]?.outputs).toEqual(outputs);
		expect((await engine.videos.setVisibility(principal, video.id, "private")).outputs?.mp4_url).toBe(
			`https://video.example/videos/${video.id}/web.mp4`,
		);
		await engine.videos.setVisibility(principal, video.id, "public");
		await engine.sweep();
		await engine.storage.put(
			principal.domainId,
			profile("one", { key_prefix: "elsewhere", public_base_url: "https://other.example" }),
		);
		const again = (await buckets.keysIn("one")).find(
			(one) => one.startsWith("videos/public/") && one.endsWith("/web.mp4"),
		);
		expect((await engine.videos.get(principal, video.id)).outputs?.mp4_url).toBe(`https://other.example/${again}`);
	});
});

describe("outputs in a bucket that gives no bytes", () => {
	it("are storage_backend_unsupported to viewers, and as transcript and frames, with or without presigned addresses", async () => {
		const principal = await tenantIn("one");
		const { video } = await uploadVideo(opened, principal, { visibility: "public", transcript: true });
		await finishJob(opened, await claim(video.id));
		await opened.database.query({
			text: `update reelmill.videos set transcript_status = 'available',
				outputs = jsonb_set(outputs, '{files}', (outputs -> 'files') || '{"frames/00001.jpg": 1, "transcript.vtt": 1}') where id = $1`,
			values: [video.id],
		});
		for (const presign of [true, false]) {
			buckets.capabilities = { presign, download: false };
			const other = createEngine(opened.options);
			const unsupported = { code: "storage_backend_unsupported", status: 501 };
			const file = { videoId: video.id, path: "web.mp4", authorization: null };
			await expect(other.serving.open(file)).rejects.toMatchObject(unsupported);
			await expect(other.transcripts.get(principal, video.id)).rejects.toMatchObject(unsupported);
			await expect(other.frames.read(principal, video.id, "00001.jpg")).rejects.toMatchObject(unsupported);
			await other.stop();
		}
	});
});

describe("a job's source", () => {
	it("that is in a bucket without presigned addresses comes as bytes", async () => {
		buckets.capabilities = { presign: false, download: true };
		const { video } = await uploadVideo(opened, await tenantIn("one"));
		const source = await engine.jobs.source(video.id);
		expect(source.elsewhere).toBe(null);
		expect((await collected(await source.read({ start: 3, end: 5 }))).toString()).toBe("345");
	});

	it("that can neither be addressed nor read is storage_backend_unsupported", async () => {
		const { video } = await uploadVideo(opened, await tenantIn("one"));
		buckets.capabilities = { presign: false, download: false };
		const other = createEngine(opened.options);
		await expect(other.jobs.source(video.id)).rejects.toMatchObject({ code: "storage_backend_unsupported" });
	});

	it("that is gone is file_not_found", async () => {
		const { video } = await uploadVideo(opened, await tenantIn("one"));
		await buckets.files("one").uploads.discard(video.id);
		await expect(engine.jobs.source(video.id)).rejects.toMatchObject({ code: "file_not_found" });
	});
});

describe("a new key for the same bucket", () => {
	it("is used for videos that are there already, by other servers within 2 s, and what the old one opened is closed", async () => {
		const principal = await tenantIn("one");
		const id = await available(principal);
		const other = createEngine(opened.options);
		const readOn = async (server: Engine) => {
			const { playback_key } = await engine.playback.createKey(principal, { viewer_ref: "v", ttl_seconds: 60 });
			const file = await server.serving.open({ videoId: id, path: "og.jpg", authorization: `Bearer ${playback_key}` });
			return (await collected(await file.read())).toString();
		};
		expect(await readOn(other)).toBe("bytes of og.jpg");

		buckets.setKeys("one", { AKIDNEW: "new-secret" });
		const { version } = await engine.storage.put(
			principal.domainId,
			profile("one", { access_key_id: "AKIDNEW", secret_access_key: "new-secret", key_prefix: "new" }),
		);
		expect(version).toBe(2);
		expect(await readOn(engine)).toBe("bytes of og.jpg");
		await expect(readOn(other)).rejects.toMatchObject({ code: "storage_unavailable" });
		const errors = await opened.database.query({
			text: "select distinct last_error from reelmill.storage_profiles",
			values: [],
		});
		expect(errors).toEqual([{ last_error: null }]);
		await opened.clock.advance(2001);
		expect(await readOn(other)).toBe("bytes of og.jpg");
		expect(buckets.opened.filter(({ bucket, closed }) => bucket.credentials?.id === "AKIDTENANT" && !closed)).toEqual(
			[],
		);
		await Promise.all([engine.stop(), other.stop()]);
		expect(buckets.opened.filter(({ closed }) => !closed)).toEqual([]);
	});

	it("lets what was begun with the old one end first", async () => {
		const principal = await tenantIn("one");
		const id = await available(principal);
		const { playback_key } = await engine.playback.createKey(principal, { viewer_ref: "v", ttl_seconds: 60 });
		const bytes = await (
			await engine.serving.open({ videoId: id, path: "og.jpg", authorization: `Bearer ${playback_key}` })
		).read();
		const inUse = buckets.opened.at(-1);
		buckets.setKeys("one", { AKIDNEW: "new-secret" });
		await engine.storage.put(
			principal.domainId,
			profile("one", { access_key_id: "AKIDNEW", secret_access_key: "new-secret" }),
		);
		expect(await text(principal, id, "web.mp4")).toBe("bytes of web.mp4");
		expect(inUse?.closed).toBe(false);
		expect((await collected(bytes)).toString()).toBe("bytes of og.jpg");
		await expect.poll(() => inUse?.closed).toBe(true);
	});
});

describe("a bucket that breaks", () => {
	const break_ = () => buckets.setKeys("one", { AKIDTENANT: "another" });
	const mend = () => buckets.setKeys("one", { AKIDTENANT: secret });
	const unavailable = { code: "storage_unavailable" };

	it("tells why on the storage view until the next use succeeds", async () => {
		const principal = await tenantIn("one");
		const id = await available(principal);
		const verifiedAt = (await engine.storage.get(principal.domainId)).last_verified_at;
		await opened.clock.advance(5000);
		break_();
		await expect(text(principal, id, "og.jpg")).rejects.toMatchObject(unavailable);
		expect(await engine.storage.get(principal.domainId)).toMatchObject({
			last_error: "The key is refused.",
			last_verified_at: verifiedAt,
		});
		mend();
		await opened.clock.advance(3000);
		expect(await text(principal, id, "og.jpg")).toBe("bytes of og.jpg");
		expect(await engine.storage.get(principal.domainId)).toMatchObject({
			last_error: null,
			last_verified_at: new Date(opened.clock.now()).toISOString(),
		});
	});

	it("keeps the time of the last proof by real use, a minute old at most", async () => {
		const principal = await tenantIn("one");
		const id = await available(principal);
		await opened.clock.advance(61_000);
		await text(principal, id, "og.jpg");
		expect((await engine.storage.get(principal.domainId)).last_verified_at).toBe(
			new Date(opened.clock.now()).toISOString(),
		);
	});

	it("answers storage_unavailable wherever its bytes are asked for, and changes no state", async () => {
		const principal = await tenantIn("one");
		const done = await available(principal);
		const waiting = await uploadVideo(opened, principal);
		const job = await claim(waiting.video.id);
		const pending = await engine.videos.create(principal, clip);
		const token = await tokenOf(pending);
		await engine.uploads.create(token, { videoId: pending.video.id, length: 10 });
		break_();
		const asked: (() => Promise<unknown>)[] = [
			() => engine.uploads.create(token, { videoId: pending.video.id, length: 10 }),
			() => engine.uploads.status(token, pending.video.id),
			() => engine.uploads.append(token, pending.video.id, 0, bytesOf(clipBytes)),
			() => engine.jobs.source(job.id),
			() => finishJob(opened, job),
			() => text(principal, done, "og.jpg"),
		];
		for (const ask of asked) await expect(ask()).rejects.toMatchObject(unavailable);
		mend();
		await engine.uploads.append(token, pending.video.id, 0, bytesOf(clipBytes));
		await finishJob(opened, job);
		expect((await engine.videos.get(principal, job.id)).state).toBe("available");
	});

	it("refuses new uploads only while it is broken, after every other check, and one that works is asked nothing", async () => {
		const principal = await tenantIn("one");
		const id = await available(principal);
		const asked = buckets.operations.length;
		await engine.videos.create(principal, clip);
		expect(buckets.operations).toHaveLength(asked);
		break_();
		await expect(text(principal, id, "og.jpg")).rejects.toMatchObject(unavailable);
		await expect(engine.videos.create(principal, clip)).rejects.toMatchObject(unavailable);
		await engine.videos.create(principal, { ...clip, uploader_ref: "me" }).catch(() => undefined);
		const { remaining } = (await engine.usage.get(principal)) as { remaining: { upload_bytes: number } };
		expect(remaining.upload_bytes).toBe(10 * 1024 ** 3 - 20);
		await expect(engine.videos.create(principal, { ...clip, file_size: 11 * 1024 ** 3 })).rejects.toMatchObject({
			code: "file_too_large",
		});
		mend();
		await opened.clock.advance(2001);
		await engine.videos.create(principal, clip);
		expect((await engine.storage.get(principal.domainId)).last_error).toBe(null);
	});

	it("does not keep its domain from storing elsewhere", async () => {
		const principal = await tenantIn("one");
		const id = await available(principal);
		break_();
		await expect(text(principal, id, "og.jpg")).rejects.toMatchObject(unavailable);
		await engine.storage.delete(principal.domainId);
		expect(await available(principal)).toMatch(/^[0-9a-f-]{36}$/);
	});

	it("keeps its own deletions until it is mended, asked less and less often, while those of others are done", async () => {
		const [mine, theirs] = [await tenantIn("one"), await tenantIn("two")];
		const [broken, sound] = [await available(mine), await available(theirs)];
		break_();
		await engine.videos.delete(mine, broken);
		await engine.videos.delete(theirs, sound);
		expect(await buckets.keysIn("two")).toEqual([]);
		expect(await buckets.keysIn("one")).toHaveLength(archivedFiles.length);
		const askedIn = () =>
			buckets.operations.filter(({ bucket, operation }) => bucket === "one" && operation === "deletePrefix").length;
		const before = askedIn();
		for (let second = 0; second < 60; second++) {
			await opened.clock.advance(1000);
			await engine.sweep();
		}
		expect(askedIn() - before).toBeLessThanOrEqual(4);
		mend();
		await opened.clock.advance(300_000);
		await engine.sweep();
		expect(await buckets.keysIn("one")).toEqual([]);
	});

	it("that hangs holds up no sweep of the others", async () => {
		const [mine, theirs] = [await tenantIn("one"), (await opened.tenant()).principal];
		await available(mine);
		await engine.videos.create(mine, clip);
		const pending = await engine.videos.create(theirs, clip);
		await opened.outputs.put("left/over/object", bytesOf("x"));
		await opened.database.query({
			text: "insert into reelmill.deletions (kind, reference, created_at) values ('outputs', 'left/over/', now())",
			values: [],
		});
		const letGo = Promise.withResolvers<void>();
		buckets.wait = (bucket) => (bucket === "one" ? letGo.promise : Promise.resolve());
		await engine.admin.deleteDomain(mine.domainId);
		await opened.clock.advance(3_600_000);
		const sweeping = engine.sweep();
		await expect.poll(async () => (await engine.videos.get(theirs, pending.video.id)).state).toBe("expired");
		await expect.poll(() => opened.outputs.head("left/over/object")).toBe(null);
		expect(await text(theirs, await available(theirs), "og.jpg")).toBe("bytes of og.jpg");
		letGo.resolve();
		await sweeping;
		await engine.sweep();
		expect(await buckets.keysIn("one")).toEqual([]);
	});

	it("ends an upload that nobody can ask about an hour late, and completes one that was whole when it is mended before", async () => {
		const principal = await tenantIn("one");
		const [whole, open] = [await engine.videos.create(principal, clip), await engine.videos.create(principal, clip)];
		await buckets.files("one").uploads.create(whole.video.id);
		await buckets.files("one").uploads.append(whole.video.id, 0, bytesOf(clipBytes), { limit: 10 });
		break_();
		await opened.clock.advance(3_600_000);
		await engine.sweep();
		const state = async ({ video }: CreatedVideo) => (await engine.videos.get(principal, video.id)).state;
		expect([await state(whole), await state(open)]).toEqual(["pending_upload", "pending_upload"]);
		mend();
		await opened.clock.advance(10_000);
		await engine.sweep();
		expect([await state(whole), await state(open)]).toEqual(["queued", "expired"]);

		const lost = await engine.videos.create(principal, clip);
		break_();
		await opened.clock.advance(7_200_000);
		await engine.sweep();
		expect(await state(lost)).toBe("expired");
	});

	it("names its secret nowhere: not in answers, errors or the log", async () => {
		const principal = await tenantIn("one");
		const id = await available(principal);
		break_();
		const said: unknown[] = [
			await engine.storage.get(principal.domainId),
			await engine.videos.get(principal, id),
			opened.receiver.requests,
		];
		said.push(await text(principal, id, "og.jpg").catch((error: unknown) => error));
		said.push(await engine.storage.put(principal.domainId, profile("one")).catch((error: unknown) => error));
		await engine.videos.delete(principal, id);
		await engine.sweep();
		expect(opened.logger.entries.length).toBeGreaterThan(0);
		expect(inspect([said, opened.logger.entries], { depth: 20, showHidden: true })).not.toContain(secret);
	});
});

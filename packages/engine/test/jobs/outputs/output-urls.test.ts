import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Job } from "@reelmill/contracts";
import { createEngine, type TenantPrincipal } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { engineActor } from "../../../src/audit/index.ts";
import { createLocalBuckets, type LocalBuckets } from "../../support/local-buckets.ts";
import {
	archivedFiles,
	bytesOf,
	completion,
	contentOf,
	deliver,
	finishJob,
	type OpenedEngine,
	openEngine,
	outputFiles,
	uploadVideo,
} from "../../support/open-engine.ts";

let opened: OpenedEngine;
let buckets: LocalBuckets;
let directory: string;
let principal: TenantPrincipal;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-buckets-"));
	buckets = createLocalBuckets(directory);
	opened = await openEngine({ buckets });
	await buckets.make("one", { key: "secret" });
	({ principal } = await opened.tenant());
	const place = {
		backend: "s3_tenant",
		endpoint: "https://s3.example",
		bucket: "one",
		access_key_id: "key",
		secret_access_key: "secret",
	} as const;
	await opened.engine.storage.put(principal.domainId, place);
});
afterEach(async () => {
	await opened.close();
	await rm(directory, { recursive: true });
});

const claim = (id: string): Promise<Job> => opened.engine.jobs.claimById(opened.worker, id, { worker: "w" });
const claimed = async () => claim((await uploadVideo(opened, principal)).video.id);
const keyOf = ({ id, lock }: Job, path: string) => `${principal.domainId}/${id}/${lock}/${path}`;
/** What a worker does by a presigned URL, whatever has become of its lock. */
const putByUrl = (job: Job, path: string) =>
	buckets.files("one").outputs.put(keyOf(job, path), bytesOf(contentOf(path)));
const urls = (job: Job, ...files: { path: string; size: number }[]) =>
	opened.engine.jobs.outputUrls(job.id, { lock: job.lock, files }, 100);
const lateMilliseconds = 3_900_000;

describe("URLs for outputs", () => {
	it("lead below the attempt's own prefix for five minutes, and say what the files are to be served as", async () => {
		const job = await claimed();
		const expires_at = new Date(opened.clock.now() + 300_000).toISOString();
		const headers = (type: string) => ({
			"content-type": type,
			"cache-control": "public, max-age=86400",
			"if-none-match": "*",
		});
		expect(await urls(job, { path: "hls/master.m3u8", size: 40 }, { path: "web.mp4", size: 60 })).toEqual({
			data: [
				{
					path: "hls/master.m3u8",
					url: `bucket://one/outputs/${keyOf(job, "hls/master.m3u8")}?signature`,
					headers: headers("application/vnd.apple.mpegurl"),
					expires_at,
				},
				{
					path: "web.mp4",
					url: `bucket://one/outputs/${keyOf(job, "web.mp4")}?signature`,
					headers: headers("video/mp4"),
					expires_at,
				},
			],
			storage_owner: "tenant",
		});
	});

	it("aren't given for a path that no archive may have, for one that comes twice, or for more bytes than an archive may hold", async () => {
		const job = await claimed();
		for (const path of ["../up", "/root", "a/../../b", "a//b", ".hidden", "a\\b", "a\0b"]) {
			await expect(urls(job, { path, size: 1 })).rejects.toMatchObject({ code: "invalid_zip_entry" });
		}
		await expect(urls(job, { path: "web.mp4", size: 1 }, { path: "web.mp4", size: 1 })).rejects.toMatchObject({
			code: "invalid_zip_entry",
		});
		await expect(urls(job, { path: "web.mp4", size: 60 }, { path: "og.jpg", size: 41 })).rejects.toMatchObject({
			code: "zip_too_large",
		});
		for (const path of outputFiles) await putByUrl(job, path);
		await finishJob(opened, job);
		await expect(urls(job, { path: "web.mp4", size: 1 })).rejects.toMatchObject({ code: "invalid_video_state" });
	});

	it("aren't made by a bucket that can't presign: there the archive is the way", async () => {
		buckets.capabilities = { presign: false, download: true };
		expect(await urls(await claimed(), { path: "web.mp4", size: 1 })).toEqual({ data: null, storage_owner: "tenant" });
	});

	it("are storage_unavailable while the bucket can't be opened", async () => {
		const job = await claimed();
		await opened.database.query({
			text: "update reelmill.storage_profiles set secret = 'x', revision = revision + 1",
			values: [],
		});
		await opened.clock.advance(2001);
		await expect(urls(job, { path: "web.mp4", size: 1 })).rejects.toMatchObject({ code: "storage_unavailable" });
	});
});

describe("what a worker puts after it lost its lock", () => {
	const late = async (job: Job) => {
		await putByUrl(job, "web.mp4");
		await opened.engine.sweep();
		expect(await buckets.keysIn("one")).toContain(keyOf(job, "web.mp4"));
	};

	it("is never the video's, and is removed once no URL of that lock can be used any more", async () => {
		const first = await claimed();
		await urls(first, { path: "web.mp4", size: 10 });
		await putByUrl(first, "og.jpg");
		await opened.clock.advance(90_000);
		await opened.engine.sweep();
		expect(await buckets.keysIn("one")).toEqual([]);
		const second = await claim(first.id);
		await late(first);
		await finishJob(opened, second);
		await opened.clock.advance(lateMilliseconds - 1);
		await opened.engine.sweep();
		expect(await buckets.keysIn("one")).toHaveLength(archivedFiles.length + 1);
		await opened.clock.advance(1);
		await opened.engine.sweep();
		const attempt = keyOf(second, "");
		expect((await buckets.keysIn("one")).map((key) => key.replace(attempt, "").split("/").slice(1).join("/"))).toEqual(
			archivedFiles,
		);
	});

	it("is removed after the video failed, and what the video then gets, processed anew, is not", async () => {
		const keeping = createEngine({ ...opened.options, windows: { keepFailed: 86_400 } });
		const job = await claimed();
		await keeping.jobs.fail(job.id, { lock: job.lock, reason: "storage_error", retryable: false });
		await late(job);
		await keeping.admin.reprocess(job.id, engineActor);
		const second = await claim(job.id);
		await finishJob(opened, second);
		await opened.clock.advance(lateMilliseconds);
		await opened.engine.sweep();
		const attempt = keyOf(second, "");
		expect((await buckets.keysIn("one")).map((key) => key.replace(attempt, "").split("/").slice(1).join("/"))).toEqual(
			archivedFiles,
		);
	});

	it("is removed if the worker sent an archive after all, early or late", async () => {
		const job = await claimed();
		for (const path of ["web.mp4", "hls/master.m3u8"]) await putByUrl(job, path);
		await deliver(opened, job);
		await opened.engine.jobs.complete(job.id, completion(job));
		await opened.engine.sweep();
		expect(await buckets.keysIn("one")).toHaveLength(archivedFiles.length);
		await late(job);
		await opened.clock.advance(lateMilliseconds);
		await opened.engine.sweep();
		const left = (await buckets.keysIn("one")).map((key) => key.replace(keyOf(job, ""), "").replace(/^[^/]+[/]/, ""));
		expect(left).toEqual(archivedFiles);
	});

	it.each(["cancel", "delete"] as const)("is removed after the video's end by %s, too", async (end) => {
		const job = await claimed();
		if (end === "delete") await finishJob(opened, job);
		await opened.engine.videos[end](principal, job.id);
		expect(await buckets.keysIn("one")).toEqual([]);
		await late(job);
		await opened.clock.advance(lateMilliseconds);
		await opened.engine.sweep();
		expect(await buckets.keysIn("one")).toEqual([]);
		expect(await opened.database.query({ text: "select from reelmill.deletions", values: [] })).toEqual([]);
	});
});

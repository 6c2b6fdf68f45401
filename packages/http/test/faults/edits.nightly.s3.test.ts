import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clip, Difference, Poster, Video } from "@reelmill/contracts";
import { systemClock } from "@reelmill/engine";
import { createRecordingLogger } from "@reelmill/engine/testing";
import { type FaultProxy, openFaultProxy, type RequestMatch } from "@reelmill/fault-proxy";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket, type TestBucket } from "@reelmill/storage-s3/testing";
import { createWorker, type Worker } from "@reelmill/worker";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { makeSource } from "../../../worker/test/support/make-source.ts";
import { beginUpload, eventually } from "../support/open-faulty-service.ts";
import { openService, type Service } from "../support/open-service.ts";

const server = inject("s3");
let service: Service;
let proxy: FaultProxy;
let own: TestBucket;
let shared: TestBucket;
let auth: Record<string, string>;
let worker: Worker;
let directory: string;
let id: string;

/** A tenant with an own bucket, and a location of the platform at whose public address anyone may read; one worker. */
beforeAll(async () => {
	proxy = await openFaultProxy({ target: server.endpoint });
	[own, shared] = [await createTestBucket(server), await createTestBucket(server)];
	const eu = { ...shared.bucket, owner: "platform" as const, keyPrefix: "videos" };
	const publicBaseUrl = `${server.endpoint}/${shared.bucket.bucket}`;
	await shared.letAnyone({ action: "s3:GetObject", on: "videos/public/*" });
	service = await openService({}, () => ({
		clock: systemClock,
		buckets: createBucketOpener({ allow: ["127.0.0.0/8"] }),
		storageLocations: [{ id: "eu", name: "Europe", region: "us-east-1", bucket: eu, publicBaseUrl }],
		windows: { sweep: 1 },
	}));
	await service.engine.start();
	({ auth } = await service.tenant({ default_visibility: "public", renditions: ["h264_720"] }));
	directory = await mkdtemp(join(tmpdir(), "reelmill-edits-"));
	const { secret } = await service.engine.accounts.ensure({ name: "worker" });
	worker = createWorker({
		...{ apiUrl: service.url, name: "worker", secret, workDirectory: join(directory, "work"), claimWaitSeconds: 1 },
		tools: { ffmpeg: "ffmpeg", ffprobe: "ffprobe" },
		logger: createRecordingLogger(),
		fetchFromTenants: fetch,
	});
	worker.start();
	await choose({ backend: "s3_tenant", ...place(own) });
	const upload = await beginUpload({ service }, auth, await makeSource(6, { keyFrameDistance: 50 }));
	expect((await upload.patch(0)).status).toBe(204);
	({ id } = await ready(upload.id));
});
afterAll(async () => {
	await worker?.stop();
	await service?.engine.stop();
	await service?.close();
	await proxy?.close();
	for (const bucket of [own, shared]) await bucket?.remove();
	await rm(directory, { recursive: true, force: true });
});

const place = ({ bucket: { bucket } }: TestBucket) => ({
	...{ endpoint: proxy.url, region: server.region, bucket, key_prefix: "outputs" },
	...{ access_key_id: server.accessKeyId, secret_access_key: server.secretAccessKey },
});
const call = (method: string, path: string, json?: unknown) =>
	service.send({ method, path: `/v1/${path}`, headers: auth, ...(json !== undefined && { json }) });
const choose = async (json: object) => expect((await call("PUT", "domain/storage", json)).status).toBe(200);
const putText = (path: string, body: string | Uint8Array<ArrayBuffer>, type: string) =>
	fetch(`${service.url}/v1/${path}`, { method: "PUT", headers: { ...auth, "content-type": type }, body });
const words = (text: string) => `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`;
const caption = (of: string, text: string) => putText(`videos/${of}/captions/de`, words(text), "text/vtt");
const video = async (of: string) => (await call("GET", `videos/${of}`)).json as Video;
async function ready(of: string): Promise<Video> {
	const seen = await eventually(
		() => video(of),
		({ state }) => state === "available" || state === "failed",
	);
	expect(seen).toMatchObject({ state: "available", failure_reason: null });
	return seen;
}
const posterOf = (of: string) =>
	eventually(
		async () => (await call("GET", `videos/${of}/poster`)).json as Poster,
		({ state }) => state !== "pending",
	);
const clipOf = async (of: string, start_seconds: number, end_seconds: number) => {
	const { video } = (await call("POST", `videos/${of}/clips`, { start_seconds, end_seconds })).json as Clip;
	return (await ready(video.id)).id;
};
const keys = async () => [...(await own.keys()), ...(await shared.keys())];
async function differences(): Promise<Difference[]> {
	const found: Difference[] = [];
	for (let cursor: string | null | undefined; cursor !== null; ) {
		const step = await service.engine.check.step({ deep: true, young: true, ...(cursor && { cursor }) });
		found.push(...step.differences);
		cursor = step.cursor;
	}
	return found;
}

test.each<[string, { when: RequestMatch; nth?: number }]>([
	["refuses to store", { when: { method: "PUT" } }],
	["refuses the second file", { when: { method: "PUT" }, nth: 2 }],
	["refuses to be read", { when: { method: "GET" } }],
])("a bucket that %s leaves the video as it was, and takes the same edit later", async (what, when) => {
	const before = (await video(id)).outputs;
	const chapters = { chapters: [{ start_seconds: 1, title: what }] };
	proxy.use({ ...when, fault: { kind: "refuse", status: 403 } });
	expect(await (await caption(id, what)).json()).toMatchObject({ error: "storage_unavailable" });
	proxy.clear();
	proxy.use({ ...when, fault: { kind: "refuse", status: 403 } });
	expect(await call("PUT", `videos/${id}/chapters`, chapters)).toMatchObject({ status: 503 });
	proxy.clear();
	expect((await video(id)).outputs).toEqual(before);
	expect(await differences()).toEqual([]);
	const put = await caption(id, what);
	expect(put.status).toBe(200);
	expect(await (await fetch(((await put.json()) as { url: string }).url)).text()).toBe(words(what));
	expect((await call("PUT", `videos/${id}/chapters`, chapters)).status).toBe(200);
});

test("videos, clips of them and clips of clips are cut and edited in whatever bucket each lies, and leave nothing in any", async () => {
	expect((await call("PUT", `videos/${id}/poster`, { at_seconds: 5, preview: true })).status).toBe(202);
	const { state, poster_url } = await posterOf(id);
	expect(state).toBe("available");
	const picture = await (await fetch(poster_url ?? "")).bytes();
	expect((await putText(`videos/${id}/poster`, picture, "image/jpeg")).status).toBe(202);
	expect(await posterOf(id)).toMatchObject({ state: "available", source: "picture" });

	await choose({ backend: "s3_platform", location_id: "eu" });
	const clip = await clipOf(id, 0.5, 5);
	await choose({ backend: "local" });
	const onDisk = await clipOf(clip, 0.5, 4);
	await choose({ backend: "s3_tenant", ...place(own), key_prefix: "elsewhere" });
	const last = await clipOf(onDisk, 0.5, 3);
	expect((await own.keys()).filter((key) => key.startsWith("elsewhere/") && key.includes(last))).not.toEqual([]);
	expect((await own.keys()).filter((key) => key.includes(clip) || key.includes(onDisk))).toEqual([]);

	expect((await caption(clip, "of the clip")).status).toBe(200);
	expect((await call("PUT", `videos/${clip}/poster`, { at_seconds: 1, preview: true })).status).toBe(202);
	expect(await posterOf(clip)).toMatchObject({ state: "available", source: "frame" });
	const { outputs } = await eventually(
		() => video(clip),
		({ outputs }) => outputs?.hls_url?.startsWith(`${server.endpoint}/`) === true,
	);
	const folder = outputs?.hls_url?.slice(0, -"hls/master.m3u8".length) ?? "";
	const [row] = await service.database.query<{ paths: string[] }>({
		text: "select array(select jsonb_object_keys(outputs -> 'files')) as paths from reelmill.videos where id = $1",
		values: [clip],
	});
	expect(row?.paths).toContain("preview.webp");
	for (const path of row?.paths ?? []) {
		const [copied, served] = [await fetch(folder + path), await fetch(`${service.url}/videos/${clip}/${path}`)];
		const type = served.headers.get("content-type");
		expect([path, copied.status, copied.headers.get("content-type")]).toEqual([path, 200, type]);
		expect(Buffer.from(await copied.bytes()).equals(await served.bytes())).toBe(true);
	}
	expect(await differences()).toEqual([]);
	for (const each of [id, clip, onDisk, last]) expect((await call("DELETE", `videos/${each}`)).status).toBe(204);
	await eventually(keys, (all) => all.length === 0);
	expect(await differences()).toEqual([]);
});

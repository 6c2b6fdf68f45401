import type { Job, Video } from "@reelmill/contracts";
import { createEngine, systemClock, type TenantPrincipal } from "@reelmill/engine";
import { playlistOf } from "@reelmill/engine/testing";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket, type TestBucket } from "@reelmill/storage-s3/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { mortalOptions } from "../../../engine/test/support/mortal-options.ts";
import { claimed, completion, openService, type Service } from "../support/open-service.ts";

const viewed = ["hls/master.m3u8", "media/h264_720.mp4", "og.jpg", "transcript.vtt", "web.mp4"];
const paths = [...viewed, "frames/00001.jpg"];

let service: Service;
let bucket: TestBucket;
let base: string;
let auth: Record<string, string>;
beforeAll(async () => {
	const server = inject("s3");
	bucket = await createTestBucket(server);
	base = `${server.endpoint}/${bucket.bucket.bucket}`;
	const location = {
		id: "eu",
		name: "Europe",
		region: "us-east-1",
		bucket: { ...bucket.bucket, owner: "platform" as const, keyPrefix: "videos" },
	};
	service = await openService({}, () => ({
		buckets: createBucketOpener({ allow: [] }),
		storageLocations: [{ ...location, publicBaseUrl: base }],
	}));
	({ auth } = await service.tenant());
	const json = { backend: "s3_platform", location_id: "eu" };
	expect(await service.send({ method: "PUT", path: "/v1/domain/storage", headers: auth, json })).toMatchObject({
		status: 200,
	});
	await bucket.letAnyone({ action: "s3:GetObject", on: "videos/public/*" });
});
afterAll(async () => {
	await service?.engine.stop();
	await service?.close();
	await bucket?.remove();
});

/** What anyone gets, who has no key. */
const ask = (url: string) =>
	fetch(url).then(async (response) => ({
		status: response.status,
		type: response.headers.get("content-type"),
		text: await response.text(),
	}));
const statusOf = async (key: string) => (await ask(`${base}/${key}`)).status;
const contentOf = (path: string): string => (path === "hls/master.m3u8" ? playlistOf(1) : `bytes of ${path}`);
async function finish({ id, lock }: Job): Promise<string> {
	const entries = async function* () {
		for (const path of paths) {
			yield {
				path,
				bytes: (async function* () {
					yield Buffer.from(contentOf(path));
				})(),
			};
		}
	};
	await service.engine.jobs.replaceOutputs(id, lock, entries());
	await service.engine.jobs.complete(id, completion(lock, paths));
	return id;
}
const available = async () => finish(await claimed(service, auth));
const get = async (id: string) => (await service.send({ path: `/v1/videos/${id}`, headers: auth })).json as Video;
const setVisibility = (id: string, visibility: string) =>
	service.send({ method: "PATCH", path: `/v1/videos/${id}/visibility`, headers: auth, json: { visibility } });
async function published(): Promise<string> {
	const id = await available();
	expect(await setVisibility(id, "public")).toMatchObject({ status: 200 });
	await service.engine.sweep();
	return id;
}
const keysOf = async (id: string) => (await bucket.keys()).filter((key) => key.includes(id));

it("serves anyone the files of a public video at the bucket, and refuses all that lies beside them", async () => {
	const [open, hidden, running] = [await published(), await available(), await claimed(service, auth)];
	const video = await get(open);
	const prefix = video.outputs?.mp4_url?.slice(0, -"web.mp4".length) ?? "";
	expect(prefix).toMatch(new RegExp(`^${base}/videos/public/${open}/[0-9a-f-]{36}/$`));
	for (const path of viewed) expect(await ask(prefix + path)).toMatchObject({ status: 200, text: contentOf(path) });
	expect((await ask(video.outputs?.hls_url ?? "")).type).toBe("application/vnd.apple.mpegurl");
	expect((await fetch(video.transcript_url ?? "")).headers.get("cache-control")).toBe("public, max-age=86400");

	const keys = await bucket.keys();
	const elsewhere = keys.filter((key) => !key.startsWith(`videos/public/${open}/`));
	expect(keys).toHaveLength(viewed.length + elsewhere.length);
	expect(elsewhere.filter((key) => key.includes("/public/"))).toEqual([]);
	expect(elsewhere).toContain(running.id);
	for (const id of [open, hidden])
		expect(elsewhere.some((key) => key.includes(id) && key.endsWith("frames/00001.jpg"))).toBe(true);
	for (const key of elsewhere) expect([key, await statusOf(key)]).toEqual([key, 403]);
	expect(await statusOf("")).toBe(403);
});

it("gives nobody an outro's mezzanine, whatever is public", async () => {
	const json = { slug: "tail", content_type: "video/mp4", file_size: 10 };
	const made = await service.send({ method: "POST", path: "/v1/outros", headers: auth, json });
	const { upload, outro } = made.json as { upload: { token: string }; outro: { id: string } };
	const principal = await service.engine.uploads.authenticate(`Bearer ${upload.token}`);
	await service.engine.uploads.create(principal, { videoId: outro.id, length: 10 });
	const bytes = (text: string) =>
		(async function* () {
			yield Buffer.from(text);
		})();
	await service.engine.uploads.append(principal, outro.id, 0, bytes("0123456789"));
	const worker = { accountId: "00000000-0000-4000-8000-000000000000", name: "worker" };
	const { id, lock } = await service.engine.jobs.claimById(worker, outro.id, { worker: "w" });
	const entries = async function* () {
		yield { path: "mezzanine.mp4", bytes: bytes("mezzanine") };
	};
	await service.engine.jobs.replaceOutputs(id, lock, entries());
	await service.engine.jobs.complete(id, completion(lock, ["mezzanine.mp4"]));
	await service.engine.sweep();
	const keys = await keysOf(outro.id);
	expect(keys.map((key) => key.split("/").at(-1))).toEqual(["SHA256SUMS", "mezzanine.mp4"]);
	for (const key of keys) expect(await statusOf(key)).toBe(403);
});

it.each([
	["made private", (id: string) => setVisibility(id, "private")],
	["deleted", (id: string) => service.send({ method: "DELETE", path: `/v1/videos/${id}`, headers: auth })],
])("gives nobody what was public within 5 s after it is %s", async (_, end) => {
	const id = await published();
	const address = (await get(id)).outputs?.mp4_url ?? "";
	expect((await ask(address)).status).toBe(200);
	const since = performance.now();
	expect((await end(id)).status).toBeLessThan(300);
	await expect.poll(async () => (await ask(address)).status).toBeGreaterThanOrEqual(403);
	expect(performance.now() - since).toBeLessThan(5000);
	expect((await keysOf(id)).filter((key) => key.startsWith("videos/public/"))).toEqual([]);
});

it("publishes a withdrawn video again at another address, which repeated removals of the first leave alone", async () => {
	const id = await published();
	const first = (await get(id)).outputs?.mp4_url ?? "";
	await setVisibility(id, "private");
	await setVisibility(id, "public");
	await service.engine.sweep();
	for (const later of [5000, 60_000, 3_900_000]) {
		await service.clock.advance(later);
		await service.engine.sweep();
	}
	const second = (await get(id)).outputs?.mp4_url ?? "";
	expect([second === first, (await ask(first)).status, (await ask(second)).text]).toEqual([
		false,
		403,
		"bytes of web.mp4",
	]);
});

it("leaves nothing readable of a video that is made private while a server that copies it is killed at any step", async () => {
	for (let steps = 0; ; steps++) {
		const id = await available();
		const mortal = mortalOptions(service.engineOptions, { steps });
		const server = createEngine(mortal.options);
		await setVisibility(id, "public");
		await server.sweep().catch(() => undefined);
		const lived = mortal.isAlive();
		mortal.kill();
		await server.stop();
		await setVisibility(id, "private");
		await service.clock.advance(5000);
		await service.engine.sweep();
		expect((await keysOf(id)).filter((key) => key.startsWith("videos/public/"))).toEqual([]);
		if (!lived) continue;
		expect(steps).toBeGreaterThan(8);
		return;
	}
});

it("is taken back within 5 s by other servers where the one that made it private was killed at once", async () => {
	const id = await published();
	const address = (await get(id)).outputs?.mp4_url ?? "";
	expect((await ask(address)).status).toBe(200);
	const other = createEngine({ ...service.engineOptions, clock: systemClock });
	await other.start();
	const mortal = mortalOptions(service.engineOptions, { steps: 0.5 });
	const killed = createEngine(mortal.options);
	const principal = await killed.keys.authenticate(auth.authorization ?? null);
	await expect(killed.videos.setVisibility(principal as TenantPrincipal, id, "private")).rejects.toThrow("killed");
	// Whoever doesn't hear of it finds it after a minute.
	await expect.poll(async () => (await ask(address)).status, { interval: 100, timeout: 30_000 }).toBe(403);
	await Promise.all([other.stop(), killed.stop()]);
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StorageProfile, Video } from "@reelmill/contracts";
import { createEngine, type Engine, type TenantPrincipal } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLocalBuckets, type LocalBuckets } from "../support/local-buckets.ts";
import { mortalOptions } from "../support/mortal-options.ts";
import { bytesOf, completion, contentOf, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

const secret = "secret-of-the-tenant";
const profile = (more: Partial<StorageProfile> = {}): StorageProfile => ({
	backend: "s3_tenant",
	endpoint: "https://s3.example",
	bucket: "one",
	key_prefix: "videos",
	access_key_id: "AKIDTENANT",
	secret_access_key: secret,
	public_base_url: "https://cdn.example",
	...more,
});
const delivered = [
	"hls/master.m3u8",
	"media/h264_720.mp4",
	"og.jpg",
	"storyboard.vtt",
	"storyboard/00001.jpg",
	"transcript.vtt",
	"web.mp4",
];
const paths = ["frames/00001.jpg", "frames/00002.jpg", ...delivered];

let opened: OpenedEngine;
let engine: Engine;
let buckets: LocalBuckets;
let directory: string;
let principal: TenantPrincipal;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-publications-"));
	buckets = createLocalBuckets(directory);
	const bucket = {
		owner: "platform" as const,
		endpoint: null,
		publicEndpoint: null,
		protocol: "local",
		bucket: "platform",
		keyPrefix: "p",
		credentials: { id: "AKIDPLATFORM", secret: "platform" },
		options: {},
	};
	const location = {
		id: "eu",
		name: "Europe",
		region: "r",
		bucket,
	};
	opened = await openEngine({
		buckets,
		storageLocations: [{ ...location, publicBaseUrl: "https://platform.example" }],
	});
	({ engine } = opened);
	await buckets.make("one", { AKIDTENANT: secret });
	await buckets.make("platform", { AKIDPLATFORM: "platform" });
	({ principal } = await opened.tenant());
	await engine.storage.put(principal.domainId, profile());
});
afterEach(async () => {
	await opened.close();
	await rm(directory, { recursive: true });
});

async function available(visibility: "public" | "private", owner = principal): Promise<string> {
	const { video } = await uploadVideo(opened, owner);
	await engine.videos.setVisibility(owner, video.id, visibility);
	const job = await engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
	const entries = async function* () {
		for (const path of paths) yield { path, bytes: bytesOf(contentOf(path)) };
	};
	await engine.jobs.replaceOutputs(job.id, job.lock, entries());
	const made = completion(job);
	await engine.jobs.complete(job.id, { ...made, outputs: { ...made.outputs, files: paths } });
	return video.id;
}
const get = (id: string): Promise<Video> => engine.videos.get(principal, id);
const onPlane = (id: string) => `https://video.example/videos/${id}/web.mp4`;
const publicKeys = async (bucket = "one", prefix = "videos") =>
	(await buckets.keysIn(bucket)).filter((key) => key.startsWith(`${prefix}/public/`));
/** Without the folder of its publication, which is answered apart. */
async function publishedOf(id: string): Promise<{ folders: string[]; paths: string[] }> {
	const keys = (await publicKeys()).filter((key) => key.startsWith(`videos/public/${id}/`));
	return {
		folders: [...new Set(keys.map((key) => key.split("/")[3] ?? ""))],
		paths: keys.map((key) => key.split("/").slice(4).join("/")).sort(),
	};
}
const rows = (table: string) => opened.database.query({ text: `select * from reelmill.${table}`, values: [] });

describe("a public video in a bucket with a public address", () => {
	it("is copied to public/ without what is not for viewers, and its addresses lead there once all is copied", async () => {
		const id = await available("public");
		expect((await get(id)).outputs?.mp4_url).toBe(onPlane(id));
		expect(await engine.metrics.installation()).toMatchObject({ publicationsWaiting: 1 });
		expect(await engine.storage.get(principal.domainId)).toMatchObject({ publications_waiting: 1 });
		await engine.sweep();
		const { folders, paths: published } = await publishedOf(id);
		expect([folders.length, published]).toEqual([1, delivered]);
		const address = `https://cdn.example/videos/public/${id}/${folders[0]}`;
		const video = await get(id);
		expect(video).toMatchObject({
			transcript_url: `${address}/transcript.vtt`,
			outputs: { mp4_url: `${address}/web.mp4`, hls_url: `${address}/hls/master.m3u8` },
		});
		expect((await engine.videos.list(principal, { limit: 1 })).data[0]).toEqual(video);
		const { storage_bytes } = (await engine.usage.get(principal)) as { storage_bytes: number };
		expect(storage_bytes).toBe(paths.reduce((sum, path) => sum + contentOf(path).length, 0));
		await opened.clock.advance(10_001);
		expect(await engine.metrics.installation()).toMatchObject({ publicationsWaiting: 0 });
		expect(await engine.storage.get(principal.domainId)).toMatchObject({ publications_waiting: 0 });
	});

	it("is told of by addresses of the delivery plane, which work when the event happens", async () => {
		await engine.domains.updateConfig(principal.domainId, {
			webhook_url: "https://hooks.example",
			webhook_secret: "s".repeat(32),
		});
		const id = await available("public");
		await engine.sweep();
		const [{ body } = { body: new Uint8Array() }] = opened.receiver.requests;
		expect(JSON.parse(Buffer.from(body).toString()).data.video.outputs.mp4_url).toBe(onPlane(id));
	});

	it.each<[string, (id: string) => Promise<unknown>]>([
		["made private", (id) => engine.videos.setVisibility(principal, id, "private")],
		["deleted", (id) => engine.videos.delete(principal, id)],
	])("is gone from public/ when the answer comes that it is %s", async (_, end) => {
		const [id, other] = [await available("public"), await available("public")];
		await engine.sweep();
		await end(id);
		expect((await publishedOf(id)).paths).toEqual([]);
		expect((await publishedOf(other)).paths).toEqual(delivered);
		expect((await rows("deletions")).length).toBeGreaterThan(0);
		await opened.clock.advance(3_900_000);
		await engine.sweep();
		expect(await rows("deletions")).toEqual([]);
	});

	it("goes as well once its row is no longer there, whether it was deleted before or not", async () => {
		const [deleted, forgotten] = [await available("public"), await available("public")];
		await engine.sweep();
		buckets.reachable = false;
		await engine.videos.delete(principal, deleted);
		await opened.database.query({
			text: "delete from reelmill.videos where id = any($1)",
			values: [[deleted, forgotten]],
		});
		buckets.reachable = true;
		await opened.clock.advance(10_000);
		await engine.sweep();
		expect(await publicKeys()).toEqual([]);
	});

	it("goes at once with its domain, before its own turn comes", async () => {
		await available("public");
		await engine.sweep();
		await engine.admin.deleteDomain(principal.domainId);
		const unswept = await opened.database.query({
			text: "select from reelmill.videos where deleted_at is null",
			values: [],
		});
		expect([unswept.length, await rows("publications")]).toEqual([1, []]);
		expect((await rows("deletions")).length).toBeGreaterThan(0);
		await engine.sweep();
		expect(await publicKeys()).toEqual([]);
	});

	it("comes under another address when it is made public again, which no late removal touches", async () => {
		const id = await available("public");
		await engine.sweep();
		const [first] = (await publishedOf(id)).folders;
		await engine.videos.setVisibility(principal, id, "private");
		expect((await get(id)).outputs?.mp4_url).toBe(onPlane(id));
		await engine.videos.setVisibility(principal, id, "public");
		await engine.sweep();
		const { folders } = await publishedOf(id);
		expect(folders).toHaveLength(1);
		expect(folders[0]).not.toBe(first);
		for (const later of [5000, 60_000, 3_900_000]) {
			await opened.clock.advance(later);
			await engine.sweep();
			expect(await publishedOf(id)).toEqual({ folders, paths: delivered });
		}
	});

	it("keeps its copies when a transcript is added later, which the delivery plane serves", async () => {
		const { video } = await uploadVideo(opened, principal, { transcript: true, visibility: "public" });
		const job = await engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
		const send = (lock: string, files: readonly string[]) =>
			engine.jobs.replaceOutputs(
				video.id,
				lock,
				(async function* () {
					for (const path of files) yield { path, bytes: bytesOf(contentOf(path)) };
				})(),
			);
		const played = delivered.filter((path) => path !== "transcript.vtt");
		await send(job.lock, played);
		const made = completion(job);
		await engine.jobs.complete(video.id, { ...made, media: { ...made.media, transcript_status: "unavailable" } });
		await engine.sweep();
		const before = await publishedOf(video.id);
		const address = (await get(video.id)).outputs?.mp4_url;
		expect(address).toContain(`/public/${video.id}/${before.folders[0]}/`);

		const transcribe = async () => {
			await engine.transcripts.request(principal.domainId);
			const { lock } = await engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
			await send(lock, ["transcript.vtt"]);
			const done = completion({ ...job, lock });
			await engine.jobs.complete(video.id, {
				...done,
				outputs: { files: ["transcript.vtt"], renditions: [] },
				media: { ...done.media, transcript_status: "available" },
			});
			await engine.sweep();
		};
		await transcribe();
		expect(await publishedOf(video.id)).toEqual(before);
		expect(await get(video.id)).toMatchObject({
			transcript_url: `https://video.example/videos/${video.id}/transcript.vtt`,
			outputs: { mp4_url: address },
		});
		await engine.videos.setVisibility(principal, video.id, "private");
		await engine.videos.setVisibility(principal, video.id, "public");
		await engine.sweep();
		expect((await publishedOf(video.id)).paths).toEqual(played);

		// Once it was edited, its addresses lead to the copies of all files.
		const text = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nhello\n";
		await engine.captions.put(principal, video.id, { language: "de", text });
		await opened.database.query({
			text: "update reelmill.videos set transcript_status = 'unavailable', outputs = outputs #- '{files,transcript.vtt}' #- '{added,transcript.vtt}', version = version + 1 where id = $1",
			values: [video.id],
		});
		await transcribe();
		await opened.clock.advance(6000);
		await engine.sweep();
		const url = (await get(video.id)).transcript_url ?? "";
		const { folders, paths: copied } = await publishedOf(video.id);
		expect(copied).toContain("transcript.vtt");
		expect(folders.map((folder) => `https://cdn.example/videos/public/${video.id}/${folder}/transcript.vtt`)).toContain(
			url,
		);
	});

	it("is copied anew with what was changed, while its old copies stay for six hours, but not once it is private", async () => {
		const id = await available("public");
		await engine.sweep();
		const before = await publishedOf(id);
		const text = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nhello\n";
		await engine.captions.put(principal, id, { language: "de", text });
		expect((await get(id)).outputs?.mp4_url).toBe(onPlane(id));
		// An edge may be 5 s behind, and would give old bytes at the new address.
		await opened.clock.advance(5000);
		await engine.captions.put(principal, id, { language: "de", text: text.replace("hello", "hello again") });
		await opened.clock.advance(5000);
		await engine.sweep();
		expect(await publishedOf(id)).toEqual(before);
		await opened.clock.advance(1000);
		await engine.sweep();
		const after = await publishedOf(id);
		expect(after.folders).toHaveLength(2);
		expect(after.folders).toContain(before.folders[0]);
		const folder = after.folders.find((one) => one !== before.folders[0]);
		expect((await engine.captions.list(principal, id)).data.at(-1)?.url).toBe(
			`https://cdn.example/videos/public/${id}/${folder}/captions/de.2.vtt`,
		);
		await opened.clock.advance(6 * 3_600_000 + 1000);
		await engine.sweep();
		expect((await publishedOf(id)).folders).toEqual([folder]);

		await engine.captions.delete(principal, id, "de");
		await opened.clock.advance(6000);
		await engine.sweep();
		expect((await publishedOf(id)).folders).toHaveLength(2);
		await engine.videos.setVisibility(principal, id, "private");
		await engine.sweep();
		expect((await publishedOf(id)).folders).toEqual([]);
	});

	it("is copied anew where its outputs become other ones", async () => {
		const id = await available("public");
		await engine.sweep();
		const [folder] = (await publishedOf(id)).folders;
		const other = `${principal.domainId}/${id}/other/`;
		const { outputs } = buckets.files("one");
		for (const path of delivered) await outputs.put(`videos/${other}${path}`, bytesOf(contentOf(path)));
		await opened.database.query({
			text: `update reelmill.videos set outputs = jsonb_set(outputs #- '{files,transcript.vtt}', '{prefix}', to_jsonb($2::text)), version = version + 1 where id = $1`,
			values: [id, other],
		});
		await engine.sweep();
		const { paths: published, folders } = await publishedOf(id);
		expect(published).toEqual(delivered.filter((path) => path !== "transcript.vtt"));
		expect(folders).not.toContain(folder);
	});
});

describe("nothing is copied", () => {
	it("of a private video, nor of one without a public address; giving the bucket one copies what is public, taking it away leads back to the delivery plane", async () => {
		await engine.storage.put(principal.domainId, profile({ public_base_url: null }));
		const [open] = [await available("public"), await available("private")];
		await engine.sweep();
		expect(await publicKeys()).toEqual([]);
		expect(buckets.operations.filter(({ operation }) => operation === "copy")).toEqual([]);
		expect(await engine.storage.get(principal.domainId)).toMatchObject({ publications_waiting: 0 });
		await engine.storage.put(principal.domainId, profile());
		await engine.sweep();
		expect((await publishedOf(open)).paths).toEqual(delivered);
		expect(await publicKeys()).toHaveLength(delivered.length);
		await engine.storage.put(principal.domainId, profile({ public_base_url: null }));
		expect((await get(open)).outputs?.mp4_url).toBe(onPlane(open));
	});

	it("where the adapter can't: the delivery plane serves, and the log says why", async () => {
		buckets.copies = false;
		const other = createEngine(opened.options);
		const id = await available("public");
		await other.sweep();
		expect((await get(id)).outputs?.mp4_url).toBe(onPlane(id));
		expect(await publicKeys()).toEqual([]);
		expect(opened.logger.entries.some(({ message }) => message.includes("could not be copied"))).toBe(true);
		await other.stop();
	});
});

it("a location of the platform publishes at its own address", async () => {
	const { principal: other } = await opened.tenant();
	await engine.storage.put(other.domainId, { backend: "s3_platform", location_id: "eu" });
	const id = await available("public", other);
	await engine.sweep();
	const { outputs } = await engine.videos.get(other, id);
	expect(outputs?.mp4_url).toMatch(new RegExp(`^https://platform\\.example/p/public/${id}/[0-9a-f-]{36}/web\\.mp4$`));
	expect(await publicKeys("platform", "p")).toHaveLength(delivered.length);
	await engine.videos.setVisibility(other, id, "private");
	expect(await publicKeys("platform", "p")).toEqual([]);
});

describe("a bucket that fails", () => {
	it("keeps what was made private until it works, is asked less and less often, and says so", async () => {
		const id = await available("public");
		await engine.sweep();
		buckets.reachable = false;
		expect((await engine.videos.setVisibility(principal, id, "private")).outputs?.mp4_url).toBe(onPlane(id));
		expect(await engine.storage.get(principal.domainId)).toMatchObject({ last_error: "Connection refused." });
		const asked = () => buckets.operations.filter(({ operation }) => operation === "deletePrefix").length;
		const before = asked();
		for (let second = 0; second < 60; second++) {
			await opened.clock.advance(1000);
			await engine.sweep();
		}
		expect(asked() - before).toBeLessThanOrEqual(4);
		buckets.reachable = true;
		await opened.clock.advance(300_000);
		await engine.sweep();
		expect(await publicKeys()).toEqual([]);
		expect(await engine.storage.get(principal.domainId)).toMatchObject({ last_error: null });
	});

	it("that refuses copies takes deletions all the same, and is asked again later", async () => {
		const [open, other] = [await available("public"), await available("private")];
		buckets.forbidden = (operation) => operation === "copy";
		await engine.sweep();
		expect((await get(open)).outputs?.mp4_url).toBe(onPlane(open));
		await engine.videos.delete(principal, other);
		expect((await buckets.keysIn("one")).filter((key) => key.includes(other))).toEqual([]);
		buckets.forbidden = () => false;
		await opened.clock.advance(60_000);
		await engine.sweep();
		expect((await publishedOf(open)).paths).toEqual(delivered);
	});
});

describe("a copy that comes late", () => {
	/** A server whose copies are held up until they are let go. */
	function slowCopies() {
		const gate = Promise.withResolvers<void>();
		const copying = Promise.withResolvers<void>();
		const onCopy = async () => {
			copying.resolve();
			await gate.promise;
		};
		return { slow: mortalOptions(opened.options, { onCopy }), copying: copying.promise, letGo: gate.resolve };
	}

	it("is removed by the server that made it, where the video was made private meanwhile", async () => {
		const id = await available("public");
		const { slow, copying, letGo } = slowCopies();
		const other = createEngine(slow.options);
		const publishing = other.sweep();
		await copying;
		await engine.videos.setVisibility(principal, id, "private");
		letGo();
		await publishing;
		expect(await publicKeys()).toEqual([]);
		await other.stop();
	});

	it("is removed by others within seconds, where that server was killed", async () => {
		const id = await available("public");
		const { slow, copying, letGo } = slowCopies();
		const killed = createEngine(slow.options);
		const publishing = killed.sweep().catch(() => undefined);
		await copying;
		await engine.videos.setVisibility(principal, id, "private");
		slow.kill();
		letGo();
		await publishing;
		expect((await publicKeys()).length).toBeGreaterThan(0);
		await opened.clock.advance(5000);
		await engine.sweep();
		expect(await publicKeys()).toEqual([]);
	});
});

/** REELMILL_KILLED_STEPS=1 kills a server before each step there is; by day before each fourth. */
const stride = Number(process.env.REELMILL_KILLED_STEPS ?? 4);

describe("a server that is killed between any two steps", () => {
	/**
	 * Runs `act` on servers that die before their first step, their second and so on, and with `halves` right after each
	 * as well, until one lives to the end. Answers how many steps there are.
	 */
	async function killAtEach(
		act: (server: Engine, id: string) => Promise<unknown>,
		{
			prepare,
			check,
			halves = false,
		}: { prepare: () => Promise<string>; check: (id: string) => Promise<void>; halves?: boolean },
	): Promise<number> {
		for (let deaths = 0; ; deaths += stride) {
			const id = await prepare();
			const mortal = mortalOptions(opened.options, { steps: halves ? deaths / 2 : deaths });
			const server = createEngine(mortal.options);
			await act(server, id).catch(() => undefined);
			const lived = mortal.isAlive();
			mortal.kill();
			await check(id);
			if (lived) return deaths;
		}
	}
	const publish = async (server: Engine, id: string) => {
		await server.videos.setVisibility(principal, id, "public");
		await server.sweep();
	};

	it("leaves a video that others publish whole, where it was to be public", async () => {
		const deaths = await killAtEach(publish, {
			prepare: () => available("private"),
			async check(id) {
				await opened.clock.advance(61_000);
				await engine.sweep();
				const { visibility, outputs } = await get(id);
				expect(await publishedOf(id)).toMatchObject(
					visibility === "public" ? { folders: [expect.anything()], paths: delivered } : { paths: [] },
				);
				expect(outputs?.mp4_url?.startsWith("https://cdn.example/")).toBe(visibility === "public");
			},
		});
		expect(deaths).toBeGreaterThan(10);
	});

	it("leaves nothing in public/ of what others make private, 5 s later", async () => {
		const deaths = await killAtEach(publish, {
			halves: true,
			prepare: () => available("private"),
			async check(id) {
				await engine.videos.setVisibility(principal, id, "private");
				await opened.clock.advance(5000);
				await engine.sweep();
				expect(await publishedOf(id)).toEqual({ folders: [], paths: [] });
			},
		});
		expect(deaths).toBeGreaterThan(20);
	});

	it("leaves nothing in public/ of what it was making private, 5 s later", async () => {
		const deaths = await killAtEach((server, id) => server.videos.setVisibility(principal, id, "private"), {
			halves: true,
			async prepare() {
				const id = await available("public");
				await engine.sweep();
				return id;
			},
			async check(id) {
				const { visibility, outputs } = await get(id);
				await opened.clock.advance(5000);
				await engine.sweep();
				expect((await publishedOf(id)).paths).toEqual(visibility === "public" ? delivered : []);
				expect(outputs?.mp4_url?.startsWith("https://cdn.example/")).toBe(visibility === "public");
			},
		});
		expect(deaths).toBeGreaterThan(4);
	});
});

import { randomUUID } from "node:crypto";
import { type Difference, WebhookEvent } from "@reelmill/contracts";
import { type CheckOptions, createEngine, type Engine, ImportSourceError } from "@reelmill/engine";
import { afterEach, describe, expect, it } from "vitest";
import { clipOf } from "../imports/origin.ts";
import {
	attemptOf,
	type CheckWorld,
	checkAll,
	everything,
	hour,
	hurried,
	openCheckWorld,
	type Where,
} from "../support/check-world.ts";
import { bytesOf, clipBytes, completion, uploadVideo } from "../support/open-engine.ts";
import { finishWith, wholeOutputs } from "../support/whole-outputs.ts";

let world: CheckWorld;
afterEach(() => world.close());

const stateOf = async (id: string) =>
	(
		await world.query<{ state: string; failure_reason: string | null }>(
			"select state, failure_reason from reelmill.videos where id = $1",
			id,
		)
	)[0];

/** An outro that serves. */
async function outro(slug: string): Promise<string> {
	const { engine, opened, principal } = world;
	const created = await engine.outros.create(principal, { slug, content_type: "video/mp4", file_size: 10 });
	const token = await engine.uploads.authenticate(`Bearer ${created.upload.token}`);
	await engine.uploads.create(token, { videoId: created.outro.id, length: 10 });
	await engine.uploads.append(token, created.outro.id, 0, bytesOf(clipBytes));
	await finishWith(engine, await engine.jobs.claimById(opened.worker, created.outro.id, { worker: "w" }), {
		"mezzanine.mp4": "the mezzanine",
	});
	return created.outro.id;
}

/** One of each difference that can be at this place; answers what is to be found, as `kind reference`. */
async function plant(where: Where) {
	const { engine, outputs, uploads, principal, query } = world;
	const folder = (id: string) => `${principal.domainId}/${id}/`;
	const lost = await world.available();
	const [withoutPicture, withoutWeb, withoutStream] = [
		await world.available(),
		await world.available(),
		await world.available(),
	];
	const [sourceless, shortSource, encodedBefore] = [await world.queued(), await world.queued(), await world.queued()];
	const [whole, deleted, forgotten] = [await world.available(), await world.available(), await world.available()];
	const lostOutro = await outro("gone");
	const keptOutro = await outro("kept");
	const isBucket = where !== "the local disk";
	const published = isBucket ? [await world.available(), await world.available()] : [];
	for (const id of published) await engine.videos.setVisibility(principal, id, "public");
	await engine.sweep();
	const publications = await query<{ id: string; video_id: string }>("select id, video_id from reelmill.publications");
	await engine.videos.delete(principal, deleted);
	await engine.sweep();
	await world.clock.advance(2 * hour);
	await engine.sweep();

	const expected: string[] = [];
	const expect = (kind: string, reference: string) => void expected.push(`${kind} ${reference}`);

	await outputs.delete(`${await world.prefixOf(lost)}media/h264_720.mp4`);
	await outputs.delete(`${await world.prefixOf(lost)}web.mp4`);
	expect("video_unplayable", folder(lost));
	await outputs.delete(`${await world.prefixOf(withoutPicture)}og.jpg`);
	expect("files_missing", folder(withoutPicture));
	await outputs.put(`${await world.prefixOf(withoutWeb)}web.mp4`, bytesOf("cut off"));
	expect("files_missing", folder(withoutWeb));
	await outputs.delete(`${await world.prefixOf(withoutStream)}hls/h264_720.m3u8`);
	expect("files_missing", folder(withoutStream));
	await outputs.deletePrefix(folder(lostOutro));
	expect("outro_unplayable", folder(lostOutro));

	await uploads.discard(sourceless);
	expect("source_missing", sourceless);
	await uploads.discard(shortSource);
	await uploads.create(shortSource);
	await uploads.append(shortSource, 0, bytesOf("0123"), { limit: 10 });
	expect("source_missing", shortSource);

	await uploads.discard(encodedBefore);
	const adoptable = attemptOf(world, encodedBefore);
	await world.put(adoptable);
	expect("outputs_adoptable", adoptable);
	expect("source_missing", encodedBefore);
	const unknown = randomUUID();
	const ofUnknown = attemptOf(world, unknown);
	await world.put(ofUnknown);
	expect("outputs_adoptable", ofUnknown);
	await query("delete from reelmill.videos where id = $1", forgotten);
	expect("outputs_adoptable", await prefixOn(forgotten));

	const [stray] = [attemptOf(world, whole)];
	await world.put(stray, { "web.mp4": "of another attempt" });
	expect("outputs_unused", stray);
	await world.put(attemptOf(world, deleted), wholeOutputs);
	expect("outputs_unused", folder(deleted));
	const half = randomUUID();
	await world.put(attemptOf(world, half), {
		"hls/master.m3u8": wholeOutputs["hls/master.m3u8"] ?? "",
		"media/h264_720.mp4": "v",
	});
	expect("outputs_unused", folder(half));

	for (const id of [randomUUID(), whole, deleted]) {
		await uploads.create(id);
		await uploads.append(id, 0, bytesOf(clipBytes), { limit: 10 });
		expect("upload_unused", id);
	}
	const probe = `probe/1700000000000.${randomUUID()}/object`;
	await outputs.put(probe, bytesOf("probe"));
	expect("probe_left", probe);
	if (isBucket) {
		const publication = publications.find(({ video_id }) => video_id === published[0]);
		await outputs.delete(`public/${published[0]}/${publication?.id}/web.mp4`);
		expect("public_copy_missing", `public/${published[0]}/${publication?.id}/`);
		const left = `public/${whole}/${randomUUID()}/`;
		await world.put(left, { "web.mp4": "for anyone" });
		expect("public_copies_unused", left);
	}
	if (where !== "a tenant's bucket") {
		const stranger = `${randomUUID()}/${randomUUID()}/`;
		await world.put(`${stranger}${randomUUID()}/`);
		expect("unknown_domain", stranger);
	}
	await query(
		"update reelmill.domains set storage_bytes = storage_bytes + 7, reserved_bytes = 3, processing_count = 9 where id = $1",
		principal.domainId,
	);
	const [{ slug } = { slug: "" }] = await query<{ slug: string }>(
		"select slug from reelmill.domains where id = $1",
		principal.domainId,
	);
	expect("counters_wrong", slug);
	return {
		expected: expected.sort(),
		...{
			lost,
			withoutPicture,
			withoutWeb,
			withoutStream,
			sourceless,
			shortSource,
			encodedBefore,
			whole,
			unknown,
			forgotten,
			lostOutro,
			keptOutro,
			published,
		},
	};

	/** Of a video whose row is gone. */
	async function prefixOn(id: string): Promise<string> {
		for await (const { key } of outputs.list(folder(id))) return key.split("/").slice(0, 4).join("/").concat("/");
		throw new Error("nothing is left of it");
	}
}

const named = (differences: readonly { kind: string; reference: string }[]) =>
	differences.map(({ kind, reference }) => `${kind} ${reference}`).sort();

describe.each<Where>(["the local disk", "a tenant's bucket"])("a check of %s", (where) => {
	it("finds every planted difference, changes nothing untold, puts all of it right when told, and finds nothing after", async () => {
		world = await openCheckWorld(where);
		const { engine, principal, opened, clock } = world;
		await engine.domains.updateConfig(principal.domainId, {
			webhook_url: "https://hooks.example",
			webhook_secret: "s".repeat(32),
		});
		const planted = await plant(where);
		opened.receiver.requests.length = 0;

		const first = await checkAll(engine);
		expect(named(first.differences)).toEqual(planted.expected);
		expect(first.differences.filter(({ mended }) => mended)).toEqual([]);
		expect(named((await checkAll(engine)).differences)).toEqual(planted.expected);

		const mended = await checkAll(engine, everything);
		expect(mended.differences.filter((difference) => !difference.mended)).toEqual([]);
		expect(named((await checkAll(engine, everything)).differences)).toEqual([]);
		// And once all that was changed is an hour old, and all that was noted is done.
		await engine.sweep();
		await clock.advance(2 * hour);
		await engine.sweep();
		expect(named((await checkAll(engine)).differences)).toEqual([]);

		expect(await stateOf(planted.lost)).toEqual({ state: "failed", failure_reason: "storage_error" });
		for (const id of [planted.sourceless, planted.shortSource])
			expect(await stateOf(id)).toEqual({ state: "failed", failure_reason: "source_missing" });
		for (const id of [planted.encodedBefore, planted.unknown, planted.forgotten]) {
			const video = await engine.videos.get(principal, id);
			expect(video).toMatchObject({
				state: "available",
				progress: 100,
				width: 1280,
				height: 720,
				duration_seconds: 7.64,
				visibility: "private",
			});
			expect(video.outputs?.renditions).toEqual([
				{ name: "h264_720", codec: "h264", width: 1280, height: 720, bitrate: 105 },
			]);
			expect(video.outputs?.hls_url).toContain("/hls/master.m3u8");
		}
		expect((await engine.videos.get(principal, planted.withoutPicture)).outputs).toMatchObject({
			thumbnail_url: null,
			mp4_url: expect.any(String),
		});
		expect((await engine.videos.get(principal, planted.withoutWeb)).outputs).toMatchObject({
			mp4_url: null,
			hls_url: expect.any(String),
		});
		expect((await engine.videos.get(principal, planted.withoutStream)).outputs).toMatchObject({
			hls_url: null,
			mp4_url: expect.any(String),
		});
		expect(await engine.outros.get(principal, "gone")).toMatchObject({
			state: "failed",
			failure_reason: "storage_error",
			serving_outro_id: null,
		});
		expect(await engine.outros.get(principal, "kept")).toMatchObject({
			state: "available",
			serving_outro_id: planted.keptOutro,
		});
		for (const id of planted.published)
			expect((await engine.videos.get(principal, id)).outputs?.mp4_url).toContain("/public/");
		const events = opened.receiver.requests.map(({ body }) =>
			WebhookEvent.parse(JSON.parse(Buffer.from(body).toString())),
		);
		const told = events.map(({ type, data }) => `${type} ${data.video.id} ${data.video.failure_reason}`).sort();
		expect(told).toEqual(
			[
				`video.failed ${planted.lost} storage_error`,
				`video.failed ${planted.sourceless} source_missing`,
				`video.failed ${planted.shortSource} source_missing`,
				...[planted.encodedBefore, planted.unknown, planted.forgotten].map((id) => `video.ready ${id} null`),
			].sort(),
		);
	});
});

const editedFiles = [
	...["captions/de.1.vtt", "chapters.json", "chapters.vtt", "hls/captions_de.1.m3u8", "hls/master.m3u8"],
	...["og.jpg", "poster.jpg", "preview.webp"],
];
/** Makes a video that was edited in every way, and a clip of it. Returns the ids of both. */
async function edited(): Promise<[string, string]> {
	const { engine, opened, principal } = world;
	const id = await world.available();
	await engine.captions.put(principal, id, {
		...{ language: "de", text: "WEBVTT\n\n00:00.000 --> 00:01.000\nHallo\n" },
	});
	await engine.chapters.put(principal, id, [{ start_seconds: 0, title: "Beginning" }]);
	await engine.posters.put(principal, id, { at_seconds: 1, preview: true });
	const poster = await engine.jobs.claim(opened.worker, { worker: "w", wait_seconds: 0, takes_posters: true });
	const pictures = { "poster.jpg": "poster", "og.jpg": "picture", "preview.webp": "preview" };
	if (poster !== null) await finishWith(engine, poster, pictures);
	const { video: clip } = await engine.clips.create(principal, id, { start_seconds: 1, end_seconds: 3 });
	await finishWith(engine, await engine.jobs.claimById(opened.worker, clip.id, { worker: "w", takes_clips: true }));
	return [id, clip.id];
}

describe("a check", () => {
	it("leaves alone what was written within the hour, by the row's time and by the storage's", async () => {
		world = await openCheckWorld("the local disk", { aheadMilliseconds: 0 });
		const { engine, clock, outputs, uploads, principal } = world;
		const [lost, sourceless] = [await world.available(), await world.queued()];
		await outputs.deletePrefix(`${principal.domainId}/${lost}/`);
		await uploads.discard(sourceless);
		await uploads.create(randomUUID());
		await world.put(attemptOf(world, randomUUID()));
		await outputs.put(`probe/1.${randomUUID()}/object`, bytesOf("probe"));
		await clock.advance(hour - 60_000);
		expect((await checkAll(engine, everything)).differences).toEqual([]);
		await clock.advance(2 * 60_000);
		expect((await checkAll(engine)).differences.map(({ kind }) => kind).sort()).toEqual([
			"outputs_adoptable",
			"probe_left",
			"source_missing",
			"upload_unused",
			"video_unplayable",
		]);
	});

	it("leaves an import's part of a file alone while the rest is waited for, and finds none when the import has ended", async () => {
		const part = async function* () {
			yield clipOf(100_000);
			throw new ImportSourceError("source_unavailable", "The origin broke off.");
		};
		world = await openCheckWorld("the local disk", {
			importSource: {
				open: async () => ({ size: 200_000, contentType: "video/mp4", validator: '"one"', offset: 0, bytes: part() }),
				refusal: () => null,
				close: async () => undefined,
			},
		});
		const { engine, principal, uploads } = world;
		const { id } = await engine.imports.create(principal, { url: "https://files.example/a.mp4" });
		await engine.sweep();
		const waiting = await engine.imports.get(principal, id);
		expect(waiting).toMatchObject({ status: "waiting", bytes_received: 100_000, video_id: expect.any(String) });
		expect((await checkAll(engine, everything)).differences).toEqual([]);
		expect(await uploads.size(waiting.video_id ?? "")).toBe(100_000);
		await engine.imports.cancel(principal, id);
		await engine.sweep();
		expect((await checkAll(engine, everything)).differences).toEqual([]);
		expect(await uploads.size(waiting.video_id ?? "")).toBeNull();
	});

	it("tells each file of captions, chapters, a poster and a clip by its name if it is missing, changed or left over", async () => {
		world = await openCheckWorld("the local disk");
		const { engine, outputs, principal, query } = world;
		const [id, clip] = await edited();
		await world.clock.advance(2 * hour);
		await engine.sweep();
		expect((await checkAll(engine, { deep: true })).differences).toEqual([]);
		const found = async () => {
			const { differences } = await checkAll(engine, { deep: true });
			return differences.map(({ kind, video_id, reference, message }) => ({
				kind,
				video_id,
				told: `${reference}: ${message}`,
			}));
		};

		const text = "select outputs -> 'added' as added from reelmill.videos where id = $1";
		const [row] = await query<{ added: Record<string, string> }>(text, id);
		const changed = Object.entries(row?.added ?? {}).map(([path, folder]) => ({
			video_id: id,
			path,
			key: folder + path,
		}));
		const web = { video_id: clip, path: "web.mp4", key: `${await world.prefixOf(clip)}web.mp4` };
		expect(changed.map(({ path }) => path).sort()).toEqual(editedFiles);
		for (const { video_id, path, key } of [...changed, web]) {
			const bytes = Buffer.concat(await Array.fromAsync((await outputs.get(key))?.bytes ?? []));
			await outputs.put(key, bytesOf("x".repeat(bytes.length)));
			expect(await found()).toMatchObject([{ kind: "bytes_differ", video_id, told: expect.stringContaining(path) }]);
			await outputs.delete(key);
			const kind = "files_missing";
			expect(await found()).toMatchObject([{ kind, video_id, told: expect.stringContaining(path) }]);
			await outputs.put(key, bytesOf(bytes));
		}
		for (const folder of ["edits", "posters"]) {
			const left = `${principal.domainId}/${id}/${folder}/${randomUUID()}/`;
			await world.put(left, { "left.over": "of a killed server" });
			const { differences } = await checkAll(engine);
			expect(differences).toMatchObject([{ kind: "outputs_unused", video_id: id, reference: left }]);
			await checkAll(engine, { removeOrphans: true });
		}
		expect(await found()).toEqual([]);
	});

	it("gives an edited video its first files again if those of the edit are gone, as after a restore of the database alone", async () => {
		world = await openCheckWorld("the local disk");
		const { engine, principal, query } = world;
		const [id] = await edited();
		const rowOf = "select outputs from reelmill.videos where id = $1";
		const [backup] = await query<{ outputs: object }>(rowOf, id);
		await engine.captions.put(principal, id, { language: "de", text: "WEBVTT\n\n00:00.000 --> 00:01.000\nServus\n" });
		await engine.chapters.put(principal, id, [{ start_seconds: 0, title: "Another beginning" }]);
		await engine.posters.delete(principal, id);
		await world.clock.advance(2 * hour);
		await engine.sweep();
		// The backup also knows a transcript that was made late, and deleted since.
		const file = "transcript.vtt";
		await query(
			`update reelmill.videos set transcript_status = 'available', outputs = $2::jsonb
				|| jsonb_build_object('files', $2::jsonb -> 'files' || $3::jsonb, 'added', $2::jsonb -> 'added' || $4::jsonb) where id = $1`,
			...[id, backup?.outputs, { [file]: 7 }, { [file]: `${principal.domainId}/${id}/edits/${randomUUID()}/` }],
		);

		const kinds = async (told: CheckOptions = {}) =>
			(await checkAll(engine, { ...told, deep: true })).differences.map(({ kind }) => kind).sort();
		const found = ["counters_wrong", "files_missing", "outputs_unused"];
		expect(await kinds()).toEqual(expect.arrayContaining(found));
		await kinds({ repair: true, removeOrphans: true });
		expect(await kinds()).toEqual([]);
		const served = async (path: string) => {
			const file = await engine.serving.open({ videoId: id, path, authorization: null });
			return Buffer.concat(await Array.fromAsync(await file.read())).toString();
		};
		expect(await engine.videos.get(principal, id)).toMatchObject({ transcript_status: "failed", transcript_url: null });
		await engine.videos.setVisibility(principal, id, "public");
		expect(await served("hls/master.m3u8")).toBe(wholeOutputs["hls/master.m3u8"]);
		expect(await served("og.jpg")).toBe(wholeOutputs["og.jpg"]);
		expect((await engine.captions.list(principal, id)).data).toEqual([]);
		expect(await engine.posters.get(principal, id)).toMatchObject({ state: "automatic", preview_url: null });
		// It can be edited again.
		await engine.captions.put(principal, id, { language: "de", text: "WEBVTT\n\n00:00.000 --> 00:01.000\nHallo\n" });
		expect(await served("hls/master.m3u8")).toContain("captions_de");
		expect(await kinds()).toEqual([]);
	});

	it("leaves alone what is worked on, and what is noted to be deleted", async () => {
		world = await openCheckWorld("a tenant's bucket");
		const { engine, opened, clock, uploads, principal, query } = world;
		const [worked, ended] = [await world.queued(), await world.available()];
		const job = await engine.jobs.claimById(opened.worker, worked, { worker: "w" });
		await world.put(`${principal.domainId}/${worked}/${job.lock}/`, { "web.mp4": "so far" });
		await uploads.discard(worked);
		await engine.videos.delete(principal, ended);
		await query(
			"insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before) select 'outputs', $1, storage_profile_id, created_at, $2 from reelmill.videos where id = $3",
			`${principal.domainId}/${ended}/`,
			new Date(clock.now() + 50 * hour),
			ended,
		);
		await world.put(attemptOf(world, ended));
		await clock.advance(2 * hour);
		expect((await checkAll(engine, everything)).differences).toEqual([]);
		expect(await stateOf(worked)).toMatchObject({ state: "locked" });
	});

	it("keeps what is left of a lost video for a week, and makes it available again where its files came back", async () => {
		world = await openCheckWorld("the local disk");
		const { engine, clock, outputs, principal } = world;
		const id = await world.available();
		await clock.advance(2 * hour);
		const prefix = await world.prefixOf(id);
		for (const path of ["web.mp4", "media/audio.m4a"]) await outputs.delete(prefix + path);
		expect((await checkAll(engine, { repair: true })).differences).toMatchObject([
			{ kind: "video_unplayable", mended: true },
		]);
		await clock.advance(2 * hour);
		await engine.sweep();
		expect((await checkAll(engine, { adopt: true })).differences).toEqual([]);
		for (const path of ["web.mp4", "media/audio.m4a"])
			await outputs.put(prefix + path, bytesOf(wholeOutputs[path] ?? ""));
		expect((await checkAll(engine)).differences).toEqual([]);
		expect((await checkAll(engine, { adopt: true })).differences).toMatchObject([
			{ kind: "outputs_adoptable", mended: true },
		]);
		expect(await engine.videos.get(principal, id)).toMatchObject({ state: "available", failure_reason: null });
		await clock.advance(9 * 24 * hour);
		await engine.sweep();
		expect((await checkAll(engine)).differences).toEqual([]);
		expect((await outputs.head(`${prefix}web.mp4`))?.size).toBe("the whole video".length);
	});

	it("takes what a storage doesn't give just now for neither cut off nor unused", async () => {
		world = await openCheckWorld("a tenant's bucket");
		await world.put(attemptOf(world, randomUUID()));
		world.buckets.forbidden = (operation) => operation === "get";
		expect((await checkAll(world.engine, everything)).differences).toMatchObject([
			{ kind: "storage_unreachable", message: "Not allowed: get." },
		]);
		world.buckets.forbidden = () => false;
		expect((await checkAll(world.engine, everything)).differences).toMatchObject([
			{ kind: "outputs_adoptable", mended: true },
		]);
	});

	it("does not adopt what its own playlists call cut off", async () => {
		world = await openCheckWorld("the local disk");
		const id = randomUUID();
		await world.put(attemptOf(world, id), { ...wholeOutputs, "media/h264_720.mp4": "v".repeat(99) });
		expect((await checkAll(world.engine, { adopt: true })).differences).toMatchObject([
			{ kind: "outputs_unused", mended: false },
		]);
	});

	it("finds the same in many steps as in one, goes on from any cursor, and may do a step twice", async () => {
		world = await openCheckWorld("a platform location");
		const planted = await plant("a platform location");
		const slow = hurried(world, 900);
		const { differences, steps } = await checkAll(slow);
		expect(named(differences)).toEqual(planted.expected);
		expect(steps.length).toBeGreaterThan(15);
		expect(steps.at(-1)?.percent).toBe(100);
		const percents = steps.map(({ percent }) => percent);
		expect(percents).toEqual([...percents].sort((one, other) => one - other));
		for (const [index, { cursor }] of steps.entries()) {
			if (cursor === null) continue;
			const again = await slow.check.step({ cursor });
			expect(named(again.differences)).toEqual(named(steps[index + 1]?.differences ?? []));
		}
		for (let cursor: string | null | undefined; cursor !== null; ) {
			const told = { ...everything, ...(cursor && { cursor }) };
			await slow.check.step(told);
			cursor = (await slow.check.step(told)).cursor;
		}
		expect((await checkAll(world.engine, everything)).differences).toEqual([]);
	});

	it("refuses a cursor that no step gave", async () => {
		world = await openCheckWorld("the local disk");
		const texts = [
			'["local"]',
			'["local","uploads"]',
			'["nowhere","uploads",""]',
			'["profile:x","uploads",""]',
			'{"a":1}',
			'["local","sources",""]',
			"[1]",
			"x",
		];
		for (const text of [...texts, `["profile:${randomUUID()}","outputs",""]`]) {
			const cursor = Buffer.from(text).toString("base64url");
			await expect(world.engine.check.step({ cursor }), text).rejects.toMatchObject({ code: "invalid_cursor" });
		}
	});

	it("says which storage it can't look at, and looks at the others", async () => {
		world = await openCheckWorld("a tenant's bucket");
		await world.available();
		await world.opened.uploads.create(randomUUID());
		world.buckets.reachable = false;
		const { differences } = await checkAll(world.engine, everything);
		expect(differences.map(({ kind, mended }) => [kind, mended])).toEqual([
			["upload_unused", true],
			["storage_unreachable", false],
		]);
		expect(differences[1]).toMatchObject({ place: expect.stringMatching(/^profile:/), message: "Connection refused." });
	});

	it("loses nothing of a video that changes while it is checked", async () => {
		world = await openCheckWorld("the local disk");
		const { engine, opened, outputs, clock, principal } = world;
		const id = await world.available();
		await clock.advance(2 * hour);
		const prefix = await world.prefixOf(id);
		await outputs.delete(`${prefix}web.mp4`);
		await outputs.delete(`${prefix}hls/master.m3u8`);
		const changing = hurried(world, 0, {
			...opened.options,
			outputs: {
				...opened.outputs,
				async head(key) {
					await engine.videos.setVisibility(principal, id, "public");
					return opened.outputs.head(key);
				},
			},
		});
		expect((await checkAll(changing, { repair: true })).differences).toMatchObject([
			{ kind: "video_unplayable", mended: false },
		]);
		expect(await stateOf(id)).toEqual({ state: "available", failure_reason: null });
	});
});

describe("a deep check", () => {
	const spoil = async (key: string) => {
		const bytes = Buffer.concat(await Array.fromAsync((await world.outputs.get(key))?.bytes ?? []));
		bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
		await world.outputs.put(key, bytesOf(bytes));
	};
	/** A video with a file of several chunks, whose transcript came later. */
	const transcribed = async (): Promise<string> => {
		const { engine, opened, principal } = world;
		const { video } = await uploadVideo(opened, principal, { transcript: true });
		const job = await engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
		const send = (lock: string, files: Readonly<Record<string, string>>) =>
			engine.jobs.replaceOutputs(
				video.id,
				lock,
				(async function* () {
					for (const [path, text] of Object.entries(files)) yield { path, bytes: bytesOf(text) };
				})(),
			);
		await send(job.lock, { ...wholeOutputs, "frames/00001.jpg": "f".repeat(5_000_000) });
		const made = completion(job);
		const outputs = { ...made.outputs, files: Object.keys(wholeOutputs) };
		await engine.jobs.complete(video.id, {
			...made,
			outputs,
			media: { ...made.media, transcript_status: "unavailable" },
		});
		await engine.transcripts.request(principal.domainId);
		const { lock } = await engine.jobs.claimById(opened.worker, video.id, { worker: "w" });
		await send(lock, { "transcript.vtt": "WEBVTT\n" });
		const media = { ...made.media, transcript_status: "available" as const };
		const files = ["transcript.vtt"];
		await engine.jobs.complete(video.id, { lock, outputs: { files, renditions: [] }, media });
		return video.id;
	};
	const transcriptOf = async (id: string) =>
		(
			await world.query<{ folder: string }>(
				"select outputs #>> '{added,transcript.vtt}' as folder from reelmill.videos where id = $1",
				id,
			)
		)[0]?.folder ?? "";

	it("compares outros, transcripts that came later and public copies as well, in many steps as in one", async () => {
		world = await openCheckWorld("a tenant's bucket");
		const { engine, principal, clock, outputs } = world;
		const [late, shown, mezzanine] = [await transcribed(), await world.available(), await outro("end")];
		await engine.videos.setVisibility(principal, shown, "public");
		await engine.sweep();
		await clock.advance(2 * hour);
		await engine.sweep();
		const copies = await Array.fromAsync(outputs.list(`public/${shown}/`), ({ key }) => key);
		expect(copies.map((key) => key.split("/").slice(3).join("/"))).toEqual(Object.keys(wholeOutputs).sort());
		const whole = await checkAll(engine, { deep: true });
		expect(whole.differences).toEqual([]);
		const seen = (steps: typeof whole.steps) => steps.reduce((sum, step) => sum + step.looked_at.bytes, 0);
		expect(seen(whole.steps)).toBeGreaterThan(5_000_000);

		const spoilt = [
			`${await world.prefixOf(late)}frames/00001.jpg`,
			`${await transcriptOf(late)}transcript.vtt`,
			`${await world.prefixOf(mezzanine)}mezzanine.mp4`,
		];
		const copy = copies.find((key) => key.endsWith("/web.mp4")) ?? "";
		for (const key of [...spoilt, copy]) await spoil(key);
		await clock.advance(2 * hour);
		expect((await checkAll(engine)).differences).toEqual([]);
		const expected = [...spoilt.map((key) => `bytes_differ ${key}`), `public_copy_differs ${copy}`].sort();
		expect(named((await checkAll(engine, { deep: true })).differences)).toEqual(expected);

		// Servers take turns, and none knows what another one has read. Each look at their clocks takes most of a step.
		const servers = [hurried(world, 900), hurried(world, 900)] as const;
		const found: Difference[] = [];
		let steps = 0;
		for (let cursor: string | null | undefined; cursor !== null; steps++) {
			const step = await servers[steps % 2 === 0 ? 0 : 1].check.step({ deep: true, ...(cursor && { cursor }) });
			found.push(...step.differences);
			cursor = step.cursor;
		}
		expect(named(found)).toEqual(expected);
		expect(steps).toBeGreaterThan(10);

		const mended = await checkAll(engine, { deep: true, repair: true });
		expect(mended.differences.filter((each) => each.mended).map(({ reference }) => reference)).toEqual([copy]);
		await engine.sweep();
		for (const key of spoilt) await spoil(key);
		await clock.advance(2 * hour);
		await engine.sweep();
		expect((await checkAll(engine, { deep: true })).differences).toEqual([]);
	});

	it("reports a file that can't be read, goes on with the others, and leaves a storage that fails as a whole", async () => {
		world = await openCheckWorld("the local disk");
		const [id, other] = [await world.available(), await world.available()].sort() as [string, string];
		await world.clock.advance(2 * hour);
		const broken = `${await world.prefixOf(id)}web.mp4`;
		await spoil(`${await world.prefixOf(other)}web.mp4`);
		const { outputs } = world.opened;
		const failing = (fails: (key: string) => boolean): Engine => {
			const fail = (key: string) => {
				if (fails(key)) throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
			};
			const get: typeof outputs.get = async (key, range) => {
				fail(key);
				return outputs.get(key, range);
			};
			const head: typeof outputs.head = async (key) => {
				if (key !== broken) fail(key);
				return outputs.head(key);
			};
			return createEngine({ ...world.opened.options, outputs: { ...outputs, get, head } });
		};
		const { differences } = await checkAll(
			failing((key) => key === broken),
			{ deep: true },
		);
		expect(differences).toMatchObject([
			{ kind: "bytes_differ", reference: broken, message: expect.stringContaining("EIO") },
			{ kind: "bytes_differ", video_id: other },
		]);
		expect(
			(
				await checkAll(
					failing(() => true),
					{ deep: true },
				)
			).differences,
		).toMatchObject([{ kind: "storage_unreachable", place: "local" }]);
	});

	it("keeps the sums of what is adopted, and counts what an earlier version stored without", async () => {
		world = await openCheckWorld("the local disk");
		const { engine, query, clock } = world;
		const [forgotten, old] = [await world.available(), await world.available()];
		const prefix = await world.prefixOf(forgotten);
		await query("delete from reelmill.videos where id = $1", forgotten);
		await query("update reelmill.videos set outputs = outputs - 'sums' where id = $1", old);
		await clock.advance(2 * hour);
		await checkAll(engine, { adopt: true, repair: true });
		await clock.advance(2 * hour);
		await spoil(`${prefix}web.mp4`);
		await spoil(`${await world.prefixOf(old)}web.mp4`);
		const { differences, steps } = await checkAll(engine, { deep: true });
		expect(named(differences)).toEqual([`bytes_differ ${prefix}web.mp4`]);
		expect(steps.reduce((sum, { passed_over }) => sum + passed_over.without_sums, 0)).toBe(1);
	});

	it("finds nothing wrong where the sums alone are lost, and counts that they are", async () => {
		world = await openCheckWorld("the local disk");
		const [id, video] = [await outro("kept"), await world.available()];
		await world.clock.advance(2 * hour);
		for (const each of [id, video]) await world.outputs.delete(`${await world.prefixOf(each)}SHA256SUMS`);
		const { differences, steps } = await checkAll(world.engine, { ...everything, deep: true });
		expect(differences).toEqual([]);
		expect(steps.reduce((sum, { passed_over }) => sum + passed_over.without_sums, 0)).toBe(2);
	});
});

import { readFile } from "node:fs/promises";
import type { VideoState } from "@reelmill/contracts";
import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { holdRow } from "../support/hold-row.ts";
import { clip, finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

const hour = 3_600_000;
const day = 24 * hour;
const query = (text: string, ...values: unknown[]) =>
	opened.database.query<{ id: string; n: number }>({ text, values });
const count = async (table: string, condition = "true", ...values: unknown[]) =>
	(await query(`select count(*)::integer as n from reelmill.${table} where ${condition}`, ...values))[0]?.n;
const isThere = async (id: string) => (await count("videos", "id = $1", id)) === 1;
/** Time passes with a sweep before it, which begins it, and one after it. */
async function pass(milliseconds: number): Promise<void> {
	await opened.engine.sweep();
	await opened.clock.advance(milliseconds);
	await opened.engine.sweep();
}
async function session() {
	const { api_key } = await opened.engine.sandbox.createSession();
	return opened.engine.keys.authenticate(`Bearer ${api_key}`);
}
type Principal = Awaited<ReturnType<typeof session>>;

/** A video of the tenant in this state. */
async function videoIn(state: VideoState, principal: Principal, input: object = {}): Promise<string> {
	const { engine, worker } = opened;
	if (state === "pending_upload" || state === "expired" || state === "cancelled") {
		const { video } = await engine.videos.create(principal, { ...clip, ...input });
		if (state === "cancelled") await engine.videos.cancel(principal, video.id);
		if (state === "expired") await pass(hour);
		return video.id;
	}
	const { video } = await uploadVideo(opened, principal, input);
	const job = await engine.jobs.claimById(worker, video.id, { worker: "w" });
	if (state === "failed") await engine.jobs.fail(job.id, { lock: job.lock, reason: "invalid_media", retryable: false });
	else await finishJob(opened, job);
	return video.id;
}

it("the guide says of every table of the schema what ends its rows", async () => {
	const guide = await readFile(new URL("../../../../docs/guides/operations.md", import.meta.url), "utf8");
	const part = /## What ends rows\n([\s\S]*?)\n## /.exec(guide)?.[1] ?? "";
	const told = [...part.matchAll(/^\| `(\w+)` \| .{20,} \|$/gm)].map((match) => match[1] ?? "");
	const tables = await opened.database.query<{ name: string }>({
		text: "select relname as name from pg_class where relnamespace = 'reelmill'::regnamespace and relkind in ('r', 'p') and not relispartition",
		values: [],
	});
	expect(told.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});

it("what refers to a domain, a video or a place of storage is found by an index, and is known to what forgets them", async () => {
	const references = await opened.database.query<{ table: string; column: string; indexed: boolean }>({
		text: `select t.relname as table, a.attname as column, exists (
				select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = a.attnum
					and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname))) as indexed
			from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
			where c.contype = 'f' and c.confrelid in ('reelmill.domains'::regclass, 'reelmill.storage_profiles'::regclass, 'reelmill.videos'::regclass) order by 1, 2`,
		values: [],
	});
	expect(references.filter(({ indexed }) => !indexed)).toEqual([]);
	// A row added here has to go with the domain, the video or the place, or to keep it: see
	// `packages/engine/src/retention`.
	expect(references.map(({ table, column }) => `${table} ${column}`)).toEqual([
		"clips video_id",
		"console_account_domains domain_id",
		"deletions storage_profile_id",
		"domain_keys domain_id",
		"domains storage_profile_id",
		"edge_domains domain_id",
		"imports domain_id",
		"outros domain_id",
		"playback_revocations domain_id",
		"publications storage_profile_id",
		"storage_profiles domain_id",
		"video_titles video_id",
		"video_values video_id",
		"videos domain_id",
		"videos storage_profile_id",
		"webhook_listeners domain_id",
	]);
});

describe("the row of a video", () => {
	it("that was deleted ends after 30 days, with its references and its report, whatever its state was", async () => {
		const { principal } = await opened.tenant();
		const marks = { external_ref: "external", uploader_ref: "uploader" };
		const ids: string[] = [];
		for (const state of ["pending_upload", "failed", "available"] as const)
			ids.push(await videoIn(state, principal, { ...marks, uploader_ref: state }));
		const kept = await videoIn("available", principal);
		for (const id of ids) await opened.engine.videos.delete(principal, id);
		await pass(30 * day - 1);
		for (const id of ids) expect(await isThere(id)).toBe(true);
		await pass(1);
		for (const id of ids) expect(await isThere(id)).toBe(false);
		expect(await count("videos", "external_ref is not null")).toBe(0);
		expect((await opened.engine.videos.list(principal, { limit: 20 })).data.map(({ id }) => id)).toEqual([kept]);
	});

	it("that expired or was cancelled ends 90 days after its end; the others stay for as long as nobody deletes them", async () => {
		const { principal } = await opened.tenant();
		const [failed, available] = [await videoIn("failed", principal), await videoIn("available", principal)];
		const [expired, cancelled] = [await videoIn("expired", principal), await videoIn("cancelled", principal)];
		const { video: late } = await uploadVideo(opened, principal);
		await pass(10 * hour);
		await opened.engine.videos.cancel(principal, late.id);
		await pass(90 * day - 10 * hour - 1);
		for (const id of [expired, cancelled]) expect((await opened.engine.videos.get(principal, id)).id).toBe(id);
		await pass(hour + 1);
		for (const id of [expired, cancelled]) {
			await expect(opened.engine.videos.get(principal, id)).rejects.toMatchObject({ code: "video_not_found" });
			expect(await isThere(id)).toBe(false);
		}
		expect(await isThere(late.id)).toBe(true);
		await pass(10 * hour);
		expect(await isThere(late.id)).toBe(false);
		await pass(1000 * day);
		for (const id of [failed, available]) expect((await opened.engine.videos.get(principal, id)).id).toBe(id);
	});

	it("of a sandbox session ends 30 days after the session at the latest, and counts for as long as the session lasts", async () => {
		await opened.close();
		opened = await openEngine({ windows: { keepDeleted: day } });
		await opened.engine.start();
		const impatient = await session();
		for (let index = 0; index < 5; index++)
			await opened.engine.videos.delete(impatient, (await opened.engine.videos.create(impatient, clip)).video.id);
		await pass(day - 1);
		await expect(opened.engine.videos.create(impatient, clip)).rejects.toMatchObject({ code: "upload_quota_exceeded" });

		const patient = createEngine({ ...opened.options, windows: {} });
		const lasting = await session();
		await opened.clock.advance(day - hour);
		await uploadVideo(opened, lasting);
		await opened.engine.videos.create(lasting, clip);
		await opened.clock.advance(hour);
		for (let passed = 0; passed < 30; passed++) {
			await patient.sweep();
			await opened.clock.advance(day);
		}
		await patient.sweep();
		expect([
			await count("videos", "session_id is not null"),
			await count("domain_keys", "session_id is not null"),
		]).toEqual([0, 0]);
	});

	it("stays while bytes of it are still to be deleted", async () => {
		const { principal, domain } = await opened.tenant();
		const ids = [
			await videoIn("available", principal),
			await videoIn("available", principal),
			await videoIn("available", principal),
		];
		for (const id of ids) await opened.engine.videos.delete(principal, id);
		const [raw, outputs, gone] = ids as [string, string, string];
		const note = (kind: string, reference: string) =>
			query(
				`insert into reelmill.deletions (kind, reference, created_at, not_before) values ($1, $2, now(), '2100-01-01')`,
				kind,
				reference,
			);
		await note("upload", raw);
		await note("outputs", `${domain.id}/${outputs}/attempt/`);
		await pass(31 * day);
		expect([await isThere(raw), await isThere(outputs), await isThere(gone)]).toEqual([true, true, false]);
		await query("delete from reelmill.deletions");
		await opened.engine.sweep();
		expect([await isThere(raw), await isThere(outputs)]).toEqual([false, false]);
	});

	it("counts in the throttle for its 24 hours, however soon it ends", async () => {
		await opened.close();
		opened = await openEngine({ windows: { keepEnded: day, keepDeleted: day } });
		const { principal } = await opened.tenant();
		const create = () => opened.engine.videos.create(principal, { ...clip, uploader_ref: "u" });
		for (let index = 0; index < 3; index++) {
			await create();
			await pass(hour);
		}
		await pass(22 * hour - 1);
		await expect(create()).rejects.toMatchObject({ code: "too_many_incomplete_uploads" });
		await pass(1);
		await create();
	});

	it("that is an outro's asset stays for as long as the slug shows it, however its upload ended", async () => {
		const { principal } = await opened.tenant();
		const outro = { ...clip, slug: "tail" };
		const upload = async () => {
			const { outro: made, upload: ticket } = await opened.engine.outros.create(principal, outro);
			const token = await opened.engine.uploads.authenticate(`Bearer ${ticket.token}`);
			await opened.engine.uploads.create(token, { videoId: made.id, length: 10 });
			return { made, token };
		};
		const first = await upload();
		await opened.engine.uploads.append(
			first.token,
			first.made.id,
			0,
			(async function* () {
				yield Buffer.from("0123456789");
			})(),
		);
		const job = await opened.engine.jobs.claimById(opened.worker, first.made.id, { worker: "w" });
		await opened.engine.jobs.replaceOutputs(
			job.id,
			job.lock,
			(async function* () {
				yield {
					path: "mezzanine.mp4",
					bytes: (async function* () {
						yield Buffer.from("m");
					})(),
				};
			})(),
		);
		await opened.engine.jobs.complete(job.id, {
			lock: job.lock,
			outputs: { files: ["mezzanine.mp4"], renditions: [] },
			media: { duration_seconds: 1, width: 1280, height: 720, transcript_status: "disabled", language: null },
		});
		await upload();
		await pass(hour);
		await pass(200 * day);
		expect(await opened.engine.outros.get(principal, "tail")).toMatchObject({
			state: "failed",
			serving_outro_id: first.made.id,
		});
		expect((await opened.engine.videos.create(principal, { ...clip, outro_slug: "tail" })).video.outro_id).toBe(
			first.made.id,
		);
	});

	it("that someone changes at the moment is left alone, and holds up no other", async () => {
		const { principal } = await opened.tenant();
		const [held, free] = [await videoIn("cancelled", principal), await videoIn("cancelled", principal)];
		await opened.clock.advance(91 * day);
		const row = await holdRow(opened.database, "select from reelmill.videos where id = $1 for update", held);
		await Promise.all([opened.engine.sweep(), createEngine(opened.options).sweep()]);
		expect([await isThere(held), await isThere(free)]).toEqual([true, false]);
		await row.letGo();
		await opened.engine.sweep();
		expect(await isThere(held)).toBe(false);
	});
});

describe("what a domain used on a day", () => {
	it("is forgotten after 400 days, the installation's too", async () => {
		const engine = createEngine({ ...opened.options, dailyUploadBytes: 1000 });
		const { principal } = await opened.tenant();
		await engine.videos.create(principal, clip);
		await opened.clock.advance(day);
		await engine.videos.create(principal, clip);
		expect(await count("usage_days")).toBe(4);
		await pass(399 * day);
		expect(await count("usage_days")).toBe(4);
		await pass(day);
		expect(await count("usage_days")).toBe(2);
		await pass(day);
		expect(await count("usage_days")).toBe(0);
	});
});

describe("a deleted domain", () => {
	const tables = [
		"domains",
		"domain_keys",
		"videos",
		"usage_days",
		"webhook_deliveries",
		"playback_revocations",
		"outros",
		"storage_profiles",
		"deletions",
		"jobs",
	];
	const rows = async () =>
		Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await count(table)])));

	it("ends with its last video, and all that hung on it with it; another domain keeps all of its own", async () => {
		const [own, other] = [await opened.tenant(), await opened.tenant()];
		const fill = async ({ principal, domain }: typeof own) => {
			await opened.engine.domains.updateConfig(domain.id, {
				webhook_url: "https://tenant.example/hook",
				webhook_secret: "whsec_test_secret",
			});
			for (const state of ["available", "failed", "expired", "cancelled"] as const)
				await videoIn(state, principal, { uploader_ref: state });
			await opened.engine.outros.create(principal, { ...clip, slug: "tail" });
			await opened.engine.playback.revoke(principal, { viewer_ref: "v" });
			await query(
				`with place as (insert into reelmill.storage_profiles (id, domain_id, backend, location_id, created_at) values (gen_random_uuid(), $1, 's3_platform', 'l', '2026-01-01') returning id)
				update reelmill.domains set storage_profile_id = (select id from place) where id = $1`,
				domain.id,
			);
		};
		await fill(own);
		await fill(other);
		await opened.engine.admin.deleteDomain(own.domain.id);
		await pass(29 * day);
		expect(await count("domains", "id = $1", own.domain.id)).toBe(1);
		await query(
			`insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before)
			select 'outputs', 'elsewhere/', storage_profile_id, now(), '2100-01-01' from reelmill.domains where id = $1`,
			own.domain.id,
		);
		await pass(2 * day);
		expect([
			await count("videos", "domain_id = $1", own.domain.id),
			await count("domains", "id = $1", own.domain.id),
		]).toEqual([0, 1]);
		await query("delete from reelmill.deletions");
		await opened.engine.sweep();
		const left = await rows();
		expect(left).toMatchObject({ domains: 1, domain_keys: 1, storage_profiles: 1, outros: 1, deletions: 0, jobs: 0 });
		expect(await count("videos", "domain_id <> $1", other.domain.id)).toBe(0);
		for (const table of ["usage_days", "webhook_deliveries"])
			expect(await count(table, "domain_id = $1", own.domain.id)).toBe(0);
		expect(await count("usage_days", "domain_id = $1", other.domain.id)).toBeGreaterThan(0);
	});
});

describe("a place of storage", () => {
	it("ends when nothing needs it any more: not in force, no video, nothing to be deleted, chosen long ago", async () => {
		const { domain, principal } = await opened.tenant();
		const place = async (location: string) =>
			(
				await query(
					`insert into reelmill.storage_profiles (id, domain_id, backend, location_id, created_at) values (gen_random_uuid(), $1, 's3_platform', $2, $3) returning id`,
					domain.id,
					location,
					new Date(opened.clock.now()),
				)
			)[0]?.id ?? "";
		const [inForce, ofVideo, ofBytes, useless] = [
			await place("a"),
			await place("b"),
			await place("c"),
			await place("d"),
		];
		await query("update reelmill.domains set storage_profile_id = $1", inForce);
		const video = await videoIn("failed", (await opened.tenant()).principal);
		await query("update reelmill.videos set storage_profile_id = $1 where id = $2", ofVideo, video);
		await query(
			"insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before) values ('outputs', 'x/', $1, now(), '2100-01-01')",
			ofBytes,
		);
		const places = async () =>
			(await query("select id from reelmill.storage_profiles order by location_id")).map(({ id }) => id);
		await pass(30 * day - 1);
		expect(await places()).toEqual([inForce, ofVideo, ofBytes, useless]);
		await pass(1);
		expect(await places()).toEqual([inForce, ofVideo, ofBytes]);
		expect(principal.domainId).toBe(domain.id);
	});
});

import { createEngine, type Database } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedEngine, openEngine } from "../support/open-engine.ts";

const rows = 200_000;
let opened: OpenedEngine;
let domainId: string;
beforeAll(async () => {
	opened = await openEngine();
	domainId = (await opened.tenant()).domain.id;
	await seed("available", rows / 4, null);
	await seed("expired", rows / 4, null);
	await seed("available", rows / 2, "2026-01-01");
	await query("analyze reelmill.videos");
	await opened.clock.advance(400 * 86_400_000);
});
afterAll(() => opened.close());

const query = (text: string, ...values: unknown[]) => opened.database.query<{ n: number }>({ text, values });
const count = async (condition: string) =>
	(await query(`select count(*)::integer as n from reelmill.videos where ${condition}`))[0]?.n ?? 0;
const deleted = () => count("deleted_at is not null");

/** So many videos, which were deleted one after the other from that day on, if at all. */
const seed = (state: string, videos: number, deletedFrom: string | null) =>
	query(
		`insert into reelmill.videos (id, domain_id, state, visibility, content_type, file_size, uploader_ref, plan, max_duration_seconds, transcript_status,
			created_at, updated_at, expires_at, deleted_at)
		select gen_random_uuid(), $1::uuid, $2, 'private', 'video/mp4', 10, 'u' || i, '{"renditions": ["h264_720"], "outputs": {"hls": true}}', 180, 'disabled', at, at, at,
			$4::timestamptz + i * interval '1 ms'
		from generate_series(1, $3::integer) i, lateral (select '2026-01-01'::timestamptz + i * interval '1 ms') t (at)`,
		domainId,
		state,
		videos,
		deletedFrom,
	);

/** An engine, and how many rows each of its statements took up that makes this deletion. */
function watched(deletion = "delete from reelmill.videos"): {
	engine: ReturnType<typeof createEngine>;
	gone: number[];
} {
	const gone: number[] = [];
	const database: Database = {
		migrate: opened.database.migrate,
		async query(statement) {
			const answer = await opened.database.query<never>(statement);
			const [row] = answer as { gone?: number; seen?: number }[];
			if (statement.text.includes(deletion)) gone.push(row?.gone ?? row?.seen ?? 0);
			return answer;
		},
	};
	return { engine: createEngine({ ...opened.options, database }), gone };
}

describe(`of ${rows} videos`, () => {
	it("those that are over go in statements of a bounded number of rows, a bounded number of them a sweep", async () => {
		const { engine, gone: deletions } = watched();
		const [before, expired] = [await deleted(), await count("state = 'expired'")];
		await engine.sweep();
		const [gone, ended] = [before - (await deleted()), expired - (await count("state = 'expired'"))];
		expect([gone, ended]).toEqual([4000, 4000]);
		expect(deletions.length).toBeLessThanOrEqual(60);
		expect(Math.max(...deletions)).toBe(200);
	});

	it("each goes once, and all go in time, where two servers sweep", async () => {
		const servers = [createEngine(opened.options), createEngine(opened.options)];
		const before = await deleted();
		await Promise.all(servers.map(({ sweep }) => sweep()));
		const gone = before - (await deleted());
		expect(gone).toBeGreaterThanOrEqual(4000);
		expect(gone).toBeLessThanOrEqual(8000);
	});

	it("those that have to stay hold up nothing that comes after them", async () => {
		await query(`
			insert into reelmill.deletions (kind, reference, created_at, not_before)
			select 'outputs', concat(domain_id, '/', id, '/'), now(), '2100-01-01' from reelmill.videos where deleted_at is not null order by deleted_at limit 6000`);
		await query("analyze reelmill.deletions");
		const { engine, gone } = watched();
		const before = await deleted();
		for (let sweep = 0; sweep < 3; sweep++) await engine.sweep();
		expect(before - (await deleted())).toBe(6000);
		expect(Math.max(...gone)).toBeLessThanOrEqual(200);
	});

	it("a deleted domain's log and usage go in such statements too, and so does the domain itself", async () => {
		const own: string[] = [];
		for (let index = 0; index < 5; index++) own.push((await opened.tenant()).domain.id);
		await query(
			`insert into reelmill.webhook_deliveries (id, domain_id, video_id, type, body, url, status, attempts_left, created_at)
			select gen_random_uuid(), d, gen_random_uuid(), 'video.ready', convert_to(repeat('x', 1500), 'UTF8'), 'https://tenant.example/', 'pending', 0, now()
			from unnest($1::uuid[]) d, generate_series(1, 4000)`,
			own,
		);
		await query(
			"insert into reelmill.usage_days (domain_id, day) select d, '2027-02-01'::date - n from unnest($1::uuid[]) d, generate_series(1, 390) n",
			own,
		);
		await query(
			"update reelmill.domains set deleted_at = $2, purged_at = $2 where id = any($1)",
			own,
			new Date(opened.clock.now()),
		);
		const left = async (table: string, column = "domain_id") =>
			(await query(`select count(*)::integer as n from reelmill.${table} where ${column} = any($1)`, own))[0]?.n;
		const [log, domains] = [
			watched("delete from reelmill.webhook_deliveries where (id, created_at)"),
			watched("delete from reelmill.domains"),
		];
		await log.engine.sweep();
		expect([await left("webhook_deliveries"), await left("usage_days"), await left("domains", "id")]).toEqual([
			0, 0, 0,
		]);
		expect(Math.max(...log.gone)).toBe(250);
		for (const id of own)
			await query(
				"insert into reelmill.domains select (json_populate_record(d, json_build_object('id', $1::uuid, 'purged_at', now(), 'deleted_at', now()))).* from reelmill.domains d where id = $2",
				id,
				domainId,
			);
		await domains.engine.sweep();
		expect(await left("domains", "id")).toBe(0);
		expect(domains.gone).toHaveLength(5);
	});
});

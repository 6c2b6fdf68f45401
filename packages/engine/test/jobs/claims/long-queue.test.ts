import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, expect, it } from "vitest";
import { countingDatabase } from "../../support/counting-database.ts";
import { type OpenedEngine, openEngine } from "../../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

type Plan = {
	readonly "Relation Name"?: string;
	readonly "Actual Rows": number;
	readonly "Actual Loops": number;
	readonly "Rows Removed by Filter"?: number;
	readonly Plans?: readonly Plan[];
};

/** How many rows the plan read of tables, those included that it didn't want. */
const rowsRead = (plan: Plan): number => {
	const own = (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"];
	const below = (plan.Plans ?? []).reduce((sum, one) => sum + rowsRead(one), 0);
	return (plan["Relation Name"] === undefined ? 0 : own) + below;
};

const query = (text: string, ...values: unknown[]) => opened.database.query({ text, values });

/** Puts so many jobs into the queue, in turns of one domain. Of the sandbox they have rank 1. */
async function fillQueue(count: number, rank: number): Promise<void> {
	const { domain } = await opened.tenant(undefined, { max_concurrent_processing: 1000 });
	const at = new Date(opened.clock.now());
	await query(
		`with made as (
			insert into reelmill.videos (id, domain_id, session_id, state, visibility, content_type, file_size, plan,
				max_duration_seconds, transcript_status, created_at, updated_at, uploaded_at, expires_at)
			select gen_random_uuid(), $1::uuid, case when $4::integer = 1 then gen_random_uuid() end, 'queued', 'private', 'video/mp4', 10,
				'{"renditions": ["h264_720"], "outputs": {"hls": true}}', 180, 'disabled', $3::timestamptz, $3, $3, $3
			from generate_series(1, $2::integer) returning id)
		insert into reelmill.jobs (id, kind, domain_id, rank, turn, waiting_since, queued_at, not_before)
		select id, 'video', $1, $4, row_number() over (), $3, $3, $3 from made`,
		domain.id,
		count,
		at,
		rank,
	);
	await query("analyze reelmill.jobs");
	await query("analyze reelmill.videos");
}

/** The rows that the first statement of a claim reads. */
async function readByClaim(takes_sandbox: boolean): Promise<number> {
	const database = countingDatabase(opened.database);
	const engine = createEngine({ ...opened.options, database });
	await engine.jobs.claim(opened.worker, { worker: "w", wait_seconds: 0, takes_sandbox });
	const statement = database.sent.find(({ text }) => text.includes("with picked as"));
	const [row] = await query(`explain (analyze, format json) ${statement?.text}`, ...(statement?.values ?? []));
	const [{ Plan: plan }] = Object.values(row ?? {})[0] as [{ Plan: Plan }];
	return rowsRead(plan);
}

it("a claim reads as many rows of a long queue as of a longer one", async () => {
	await fillQueue(1000, 0);
	const ofLong = await readByClaim(true);
	await fillQueue(8000, 0);
	const ofLonger = await readByClaim(true);
	expect(ofLong).toBeGreaterThan(0);
	expect(ofLonger).toBeLessThanOrEqual(ofLong + 100);
	expect(ofLonger).toBeLessThan(1000);
});

it("a worker that takes no jobs of the sandbox doesn't read what waits there", async () => {
	await fillQueue(4000, 1);
	expect(await readByClaim(false)).toBeLessThan(100);
});

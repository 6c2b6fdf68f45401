import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Row } from "../../packages/engine/src/ports/index.ts";
import type { Seen } from "./load.ts";

/** Each as the faults that its rows name. All are of the database at rest. */
const breaches: readonly { readonly what: string; readonly text: string }[] = [
	{
		what: "was uploaded or completed, and isn't available",
		text: "select v.id, v.state as how from reelmill.videos v where v.id = any($1::uuid[]) and v.state <> 'available'",
	},
	{
		what: "is available without one delivered webhook that says so",
		text: `select v.id, string_agg(d.type || ' ' || d.status, ', ') as how from reelmill.videos v
			left join reelmill.webhook_deliveries d on d.video_id = v.id
			where v.id = any($1::uuid[]) group by v.id
			having count(*) filter (where d.type = 'video.ready' and d.status = 'delivered') <> 1 or count(d.id) <> 1`,
	},
	{
		what: "left a state twice, or came to its own by no recorded move",
		text: `select v.id, (select string_agg(coalesce(m."from", '') || '>' || m."to", ' ' order by m.seq) from faults.moves m where m.video = v.id) as how
			from reelmill.videos v where v.id = any($1::uuid[]) and (
				exists (select from faults.moves m where m.video = v.id group by m."from" having count(*) > 1)
				or (select m."to" from faults.moves m where m.video = v.id order by m.seq desc limit 1) is distinct from v.state)`,
	},
	{
		what: "still has a job",
		text: "select j.id, 'attempt ' || j.attempt as how from reelmill.jobs j where j.id = any($1::uuid[])",
	},
];
const domains = `select slug as id, format('%s in work, %s reserved', processing_count, reserved_bytes) as how
	from reelmill.domains where processing_count <> 0 or reserved_bytes <> 0`;

/** Waits until no webhook is left to be sent, for a minute at most, and returns all that was lost or went wrong. */
export async function judge(database: Database, seen: Seen, told: ReadonlySet<string>): Promise<string[]> {
	const ids = [...new Set([...seen.uploaded, ...seen.completed])];
	const pending = "select id from reelmill.webhook_deliveries where status = 'pending'";
	for (let tries = 0; tries < 120 && (await database.query({ text: pending, values: [] })).length > 0; tries++)
		await sleep(500);
	const found = [...seen.faults];
	const note = (what: string, rows: readonly Row[]) => {
		for (const { id, how } of rows) found.push(`${id} ${what}: ${how}`);
	};
	for (const { what, text } of breaches) note(what, await database.query({ text, values: [ids] }));
	note("doesn't count what it has", await database.query({ text: domains, values: [] }));
	for (const id of ids) if (!told.has(id)) found.push(`${id} is available, and the tenant wasn't told`);
	if (seen.played !== ids.length) found.push(`${seen.played} of ${ids.length} videos were played`);
	return found;
}

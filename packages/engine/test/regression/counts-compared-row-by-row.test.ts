import { afterEach, beforeEach, expect, it } from "vitest";
import { type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

const query = (text: string) => opened.database.query({ text, values: [] });
const count = (changes: number) =>
	query(
		`insert into reelmill.counts (subject, name, change) select 'video', 'failed', 1 from generate_series(1, ${changes})`,
	);

it("adds up many changes of counts, though the planner was told of an empty table", async () => {
	await count(1000);
	await query("delete from reelmill.counts");
	await query("vacuum (analyze, truncate false) reelmill.counts");
	await count(60_000);
	// It compared each change with each, which took many minutes.
	await opened.engine.sweep();
	const left = "select count(*)::integer as changes, sum(change)::integer as failed from reelmill.counts";
	expect(await query(left)).toEqual([{ changes: 3, failed: 60_000 }]);
});

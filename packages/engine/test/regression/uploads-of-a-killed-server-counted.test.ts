import { afterEach, beforeEach, expect, it } from "vitest";
import { type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

const query = (text: string) => opened.database.query({ text, values: [] });

it("counts an upload as running as long as the server that has it lives", async () => {
	await query(`with servers as (
			insert into reelmill.upload_servers (id, since, alive_until) select gen_random_uuid(), now(), now() + s * interval '1 hour' from (values (1), (-1)) of (s) returning id, alive_until)
		insert into reelmill.upload_leases (video_id, lock, server, asked)
			select gen_random_uuid(), gen_random_uuid(), id, false from servers, generate_series(1, case when alive_until > now() then 2 else 5 end)`);
	expect((await opened.engine.metrics.installation()).uploadsRunning).toBe(2);
});

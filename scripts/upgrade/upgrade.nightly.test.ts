import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../setup/paths.mjs";
import { findCommit, findReleaseBefore } from "./release-before.ts";
import { rollOut } from "./rollout.ts";
import { underLoad } from "./under-load.ts";

const main = join(root, "apps/server/src/main.ts");
const options = {
	seconds: 2,
	databaseServer: process.env.REELMILL_TEST_DATABASE_URL,
	say: () => undefined,
};

it("goes from this server to itself and back under load, without a fault", async () => {
	const { faults, videos } = await rollOut({ ...options, before: main, after: main });
	expect(faults).toEqual([]);
	expect(videos).toBeGreaterThan(0);
});

it("finds a move that was lost, and one that nobody was told of", async () => {
	const atRest = async (query: (text: string) => Promise<unknown>) => {
		await query("alter table reelmill.videos disable trigger user");
		await query(
			"update reelmill.videos set state = 'encoding' where id = (select min(id::text)::uuid from reelmill.videos)",
		);
		await query(
			"delete from reelmill.webhook_deliveries where video_id = (select max(id::text)::uuid from reelmill.videos)",
		);
	};
	const { faults } = await underLoad(main, { ...options, seconds: 1, atRest }, ({ stage }) => stage("one server"));
	const text = faults.join("\n");
	expect(text).toContain("isn't available: encoding");
	expect(text).toContain("by no recorded move");
	expect(text).toContain("without one delivered webhook");
});

it("knows the commit of the release before", async () => {
	const commit = await findReleaseBefore();
	expect(commit).toBe(await findCommit(commit));
	expect(commit).not.toBe(await findCommit("HEAD"));
});

import { afterEach, beforeEach, expect, it } from "vitest";
import { type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
let spoiled: Awaited<ReturnType<OpenedEngine["tenant"]>>;
let other: Awaited<ReturnType<OpenedEngine["tenant"]>>;
beforeEach(async () => {
	opened = await openEngine();
	spoiled = await opened.tenant("spoiled", { max_concurrent_processing: 1 });
	other = await opened.tenant("other", { max_concurrent_processing: 1 });
});
afterEach(() => opened.close());

const upload = async (tenant: typeof other) => (await uploadVideo(opened, tenant.principal)).video.id;
const state = async (tenant: typeof other, id: string) => (await opened.engine.videos.get(tenant.principal, id)).state;
const sql = (text: string) => opened.database.query({ text, values: [] });
/** Lets every change of a row fail in which the condition holds. The older rows come first in every sweep. */
async function spoil(table: string, condition: string): Promise<void> {
	await sql(
		`create function public.refuse() returns trigger language plpgsql as $$ begin raise exception 'this row is spoiled'; end $$`,
	);
	await sql(
		`create trigger spoiled before update on reelmill.${table} for each row when (${condition}) execute function public.refuse()`,
	);
}

it("takes back the lost locks of all videos but those that can't be changed", async () => {
	const ids = [await upload(spoiled), await upload(other)];
	for (const id of ids) await opened.engine.jobs.claimById(opened.worker, id, { worker: "w" });
	await spoil("videos", `old.domain_id = '${spoiled.domain.id}'`);
	await opened.clock.advance(90_000);
	await opened.engine.sweep();
	expect([await state(spoiled, ids[0] as string), await state(other, ids[1] as string)]).toEqual(["locked", "queued"]);
	expect(opened.logger.entries).toContainEqual(
		expect.objectContaining({ fields: expect.objectContaining({ task: "takeBackLostLocks", id: ids[0] }) }),
	);
});

it("admits the videos of all domains but those that can't be changed", async () => {
	const [first, second] = [
		[await upload(spoiled), await upload(other)],
		[await upload(spoiled), await upload(other)],
	];
	expect(await state(other, second[1] as string)).toBe("uploaded");
	await sql("update reelmill.domains set max_concurrent_processing = 2");
	await spoil("domains", "old.slug = 'spoiled'");
	await opened.engine.sweep();
	expect([await state(spoiled, second[0] as string), await state(other, second[1] as string)]).toEqual([
		"uploaded",
		"queued",
	]);
	expect(first).toHaveLength(2);
});

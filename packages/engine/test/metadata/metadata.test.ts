import { randomUUID } from "node:crypto";
import type { TenantPrincipal } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clip, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
afterAll(() => opened.close());

const video = async (principal: TenantPrincipal, input: object = {}): Promise<string> =>
	(await opened.engine.videos.create(principal, { ...clip, ...input })).video.id;
const set = (principal: TenantPrincipal, id: string, title: string | null, values: Record<string, string> = {}) =>
	opened.engine.metadata.set(principal, id, { title, values });
const get = (principal: TenantPrincipal, id: string) => opened.engine.metadata.get(principal, id);
/** What the tables of titles and values have of these videos. */
async function rows(...ids: string[]): Promise<number> {
	const [row] = await opened.database.query<{ n: number }>({
		text: "select ((select count(*) from reelmill.video_titles where video_id = any($1)) + (select count(*) from reelmill.video_values where video_id = any($1)))::integer as n",
		values: [ids],
	});
	return row?.n ?? 0;
}
const notFound = { code: "video_not_found" };

describe("a video's metadata", () => {
	it("is none at first, is set as a whole in any state, and costs no row without a text", async () => {
		const { principal } = await opened.tenant();
		const id = await video(principal);
		expect(await get(principal, id)).toEqual({ video_id: id, title: null, values: {} });
		const values = { course: "7b", "Größe 🎬": "", constructor: "x" };
		const whole = { video_id: id, title: "How a cell divides", values };
		expect(await set(principal, id, whole.title, values)).toEqual(whole);
		expect(await get(principal, id)).toEqual(whole);
		expect(await rows(id)).toBe(4);
		await set(principal, id, "Cells", { course: "7c", more: "1" });
		expect(await get(principal, id)).toEqual({ video_id: id, title: "Cells", values: { course: "7c", more: "1" } });
		await opened.engine.videos.cancel(principal, id);
		expect(await set(principal, id, null)).toEqual({ video_id: id, title: null, values: {} });
		expect(await rows(id)).toBe(0);
	});

	it("tells of each change once, and of none that changes nothing", async () => {
		const { principal } = await opened.tenant();
		const id = await video(principal);
		const listener = randomUUID();
		const told = async () =>
			(await opened.engine.webhooks.listen(principal, listener, { received: [], ends: false })).data.map(({ body }) =>
				JSON.parse(body),
			);
		await told();
		await set(principal, id, "One", { a: "1", b: "2" });
		await set(principal, id, "One", { b: "2", a: "1" });
		await opened.clock.advance(1000);
		await set(principal, id, "Two", { a: "1", b: "2" });
		const events = await told();
		expect(events.map(({ type, data }) => [type, data.changed])).toEqual(
			Array(2).fill(["video.updated", ["metadata"]]),
		);
		expect(events[1].data.video).toEqual(await opened.engine.videos.get(principal, id));
		expect(events[1].data.video.updated_at > events[0].data.video.updated_at).toBe(true);
	});

	it("is one of two that are set at once, and no mixture", async () => {
		const { principal } = await opened.tenant();
		const id = await video(principal);
		for (let round = 0; round < 5; round++) {
			await Promise.all([
				set(principal, id, "A", { who: "a", a: "1" }),
				set(principal, id, null, { who: "b", b: "1" }),
			]);
			const { title, values } = await get(principal, id);
			expect([
				["A", { who: "a", a: "1" }],
				[null, { who: "b", b: "1" }],
			]).toContainEqual([title, values]);
		}
		// However many there are, each is saved.
		await Promise.all(Array.from({ length: 60 }, (_, n) => set(principal, id, `${n}`, { n: `${n}` })));
		const { title, values } = await get(principal, id);
		expect(values).toEqual({ n: title });
	});

	it("is nobody's but its tenant's and its session's", async () => {
		const { principal } = await opened.tenant();
		const { principal: other } = await opened.tenant();
		const session: TenantPrincipal = { ...principal, kind: "sandbox", sessionId: randomUUID() };
		const [id, ofSession] = [await video(principal), await video(session)];
		await set(session, ofSession, "Mine");
		const strangers: [TenantPrincipal, string][] = [
			[other, id],
			[session, id],
			[{ ...session, sessionId: randomUUID() }, ofSession],
			[principal, randomUUID()],
			[principal, "no id"],
		];
		for (const [who, which] of strangers) {
			await expect(get(who, which)).rejects.toMatchObject(notFound);
			await expect(set(who, which, "Theirs")).rejects.toMatchObject(notFound);
		}
		expect(await get(session, ofSession)).toMatchObject({ title: "Mine" });
	});

	it("goes at once with the video, with its uploader's erasure, and with the row of one that ended", async () => {
		const { principal, domain } = await opened.tenant();
		const deleted = (await uploadVideo(opened, principal)).video.id;
		const ended = await video(principal);
		const [ofAda, cancelledOfAda] = [await video(principal, { uploader_ref: "ada" }), randomUUID()];
		await opened.engine.videos.cancel(principal, ended);
		await opened.database.query({
			text: "insert into reelmill.videos select (jsonb_populate_record(v, jsonb_build_object('id', $2::uuid, 'uploader_ref', 'ada'))).* from reelmill.videos v where v.id = $1",
			values: [ended, cancelledOfAda],
		});
		const kept = await video(principal);
		const all = [deleted, ended, ofAda, cancelledOfAda, kept];
		for (const id of all) await set(principal, id, "Ada's", { by: "Ada" });
		expect(await rows(...all)).toBe(10);
		await opened.engine.videos.delete(principal, deleted);
		expect(await rows(deleted)).toBe(0);
		await expect(set(principal, deleted, "Back")).rejects.toMatchObject(notFound);
		await opened.engine.erasures.create(principal, { uploader_ref: "ada" });
		expect(await rows(ofAda, cancelledOfAda)).toBe(0);
		expect(await get(principal, cancelledOfAda)).toMatchObject({ title: null, values: {} });
		await opened.engine.sweep();
		await opened.clock.advance(91 * 86_400_000);
		await opened.engine.sweep();
		expect(await rows(ended)).toBe(0);
		expect(await rows(kept)).toBe(2);
		await opened.engine.admin.deleteDomain(domain.id);
		await opened.engine.sweep();
		expect(await rows(kept)).toBe(0);
	});
});

describe("the list of videos", () => {
	it("has titles and values if they are asked for", async () => {
		const { principal } = await opened.tenant();
		const [bare, named] = [await video(principal), await video(principal)];
		await set(principal, named, "Named", { a: "1" });
		const { data } = await opened.engine.videos.list(principal, { limit: 5, include: "metadata" });
		expect(new Map(data.map(({ id, metadata }) => [id, metadata]))).toEqual(
			new Map([
				[named, { video_id: named, title: "Named", values: { a: "1" } }],
				[bare, { video_id: bare, title: null, values: {} }],
			]),
		);
		const plain = await opened.engine.videos.list(principal, { limit: 5 });
		expect(plain.data).toEqual(data.map(({ metadata: _, ...shown }) => shown));
	});

	it("holds the videos with a value, newest first, in pages whose cursors are that value's", async () => {
		const { principal } = await opened.tenant();
		const { principal: other } = await opened.tenant();
		const made: string[] = [];
		for (let index = 0; index < 7; index++) {
			if (index % 2 === 0) await opened.clock.advance(1);
			made.push(await video(principal, { external_ref: `e${index % 2}` }));
		}
		for (const [index, id] of made.toReversed().entries())
			if (index !== 3) await set(principal, id, `Lesson ${index}`, { course: "7b", n: String(index) });
		await set(other, await video(other), null, { course: "7b" });
		const wanted = { metadata_key: "course", metadata_value: "7b" };
		const all = (await opened.engine.videos.list(principal, { limit: 100 })).data.map(({ id }) => id);
		const expected = all.filter((id) => id !== made[3]);
		const pages: string[] = [];
		let cursor: string | undefined;
		do {
			const page = await opened.engine.videos.list(principal, { ...wanted, limit: 2, cursor });
			pages.push(...page.data.map(({ id }) => id));
			cursor = page.next_cursor ?? undefined;
		} while (cursor !== undefined);
		expect(pages).toEqual(expected);
		const found = async (filter: object) =>
			(await opened.engine.videos.list(principal, { limit: 9, ...filter })).data.map(({ id }) => id);
		expect(await found({ metadata_key: "n", metadata_value: "6" })).toEqual([made[0]]);
		expect(await found({ ...wanted, external_ref: "e1" })).toEqual(expected.filter((id) => made.indexOf(id) % 2 === 1));
		expect(await found({ ...wanted, search: "LESSON 6" })).toEqual([made[0]]);
		for (const none of [
			{ metadata_key: "course", metadata_value: "7B" },
			{ metadata_key: "Course", metadata_value: "7b" },
			{ ...wanted, state: "available" },
		])
			expect(await found(none)).toEqual([]);
		const { next_cursor } = await opened.engine.videos.list(principal, { ...wanted, limit: 2 });
		for (const filter of [{}, { metadata_key: "course", metadata_value: "7c" }, { search: "course" }])
			await expect(
				opened.engine.videos.list(principal, { ...filter, limit: 2, cursor: next_cursor ?? "" }),
			).rejects.toMatchObject({ code: "invalid_cursor" });
	});
});

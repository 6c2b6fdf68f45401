import { randomUUID } from "node:crypto";
import { type Video, videoStates } from "@reelmill/contracts";
import { createEngine, type Database, type Engine, type Statement, type TenantPrincipal } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clip, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";
import { seedVideos } from "../support/seed-videos.ts";

let opened: OpenedEngine;
let engine: Engine;
beforeAll(async () => {
	opened = await openEngine();
	engine = opened.engine;
});
afterAll(() => opened.close());

type Request = Parameters<Engine["videos"]["list"]>[1];
type Page = Awaited<ReturnType<Engine["videos"]["list"]>>;

/** Every page from the first to the last; `after` runs after each. */
async function walk(
	principal: TenantPrincipal,
	request: Omit<Request, "cursor">,
	after: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<Page[]> {
	const pages: Page[] = [];
	let cursor: string | undefined;
	do {
		const page: Page = await engine.videos.list(principal, { ...request, cursor });
		pages.push(page);
		cursor = page.next_cursor ?? undefined;
		await after(page);
	} while (cursor !== undefined);
	return pages;
}
const videosOf = (pages: readonly Page[]): Video[] => pages.flatMap(({ data }) => data);
const idsOf = (pages: readonly Page[]): string[] => videosOf(pages).map(({ id }) => id);
const create = async (principal: TenantPrincipal): Promise<string> =>
	(await engine.videos.create(principal, clip)).video.id;
/** Videos of which every three were made within one millisecond. */
async function createMany(principal: TenantPrincipal, count: number): Promise<string[]> {
	const ids: string[] = [];
	for (let index = 0; index < count; index++) {
		if (index % 3 === 0) await opened.clock.advance(1);
		ids.push(await create(principal));
	}
	return ids;
}
const newestFirst = (a: Video, b: Video): number =>
	a.created_at === b.created_at ? (a.id < b.id ? 1 : -1) : a.created_at < b.created_at ? 1 : -1;

describe("the list of videos", () => {
	it("holds each video once, newest first, in pages of any size, as GET shows them", async () => {
		const { principal } = await opened.tenant();
		await createMany(principal, 10);
		const job = await engine.jobs.claimById(opened.worker, (await uploadVideo(opened, principal)).video.id, {
			worker: "w",
		});
		await engine.jobs.heartbeat(job.id, { lock: job.lock, progress: 40 });
		const [whole] = await walk(principal, { limit: 100 });
		expect(whole?.data).toHaveLength(11);
		expect(whole?.data).toEqual(whole?.data.toSorted(newestFirst));
		expect(whole?.data).toEqual(await Promise.all(whole?.data.map(({ id }) => engine.videos.get(principal, id)) ?? []));
		expect(whole?.data.find(({ id }) => id === job.id)).toMatchObject({ state: "encoding", progress: 40 });
		for (const limit of [1, 3, 10, 11, 12]) {
			const pages = await walk(principal, { limit });
			expect(videosOf(pages)).toEqual(whole?.data);
			expect(pages.map(({ data }) => data.length)).toEqual(
				pages.map((_, index) => Math.min(limit, 11 - index * limit)),
			);
		}
	});

	it("of nothing is one empty page", async () => {
		const { principal } = await opened.tenant();
		expect(await engine.videos.list(principal, { limit: 20 })).toEqual({ data: [], next_cursor: null });
	});

	it("shows no video twice and skips none that was there, while others arrive and are deleted", async () => {
		const { principal } = await opened.tenant();
		const before = await createMany(principal, 30);
		const doomed = before.filter((_, index) => index % 5 === 0);
		const arrived: string[] = [];
		const deleted: string[] = [];
		const pages = await walk(principal, { limit: 4 }, async () => {
			await opened.clock.advance(1);
			arrived.push(await create(principal), await create(principal));
			const victims = [arrived.at(-1), doomed.pop()].filter((id) => id !== undefined);
			for (const id of victims) await engine.videos.delete(principal, id);
			deleted.push(...victims);
		});
		const seen = idsOf(pages);
		expect(new Set(seen).size).toBe(seen.length);
		expect(seen).toEqual(expect.arrayContaining(before.filter((id) => !deleted.includes(id))));
		expect(videosOf(pages)).toEqual(videosOf(pages).toSorted(newestFirst));
		const after = idsOf(await walk(principal, { limit: 7 }));
		expect(after.toSorted()).toEqual([...before, ...arrived].filter((id) => !deleted.includes(id)).sort());
	});

	it("stays whole while many write at once, the row that a cursor names being deleted too", async () => {
		const { principal } = await opened.tenant();
		const before = await createMany(principal, 24);
		let writing = true;
		const writers = Array.from({ length: 4 }, async () => {
			while (writing) await create(principal);
		});
		const seen: string[] = [];
		const pages = walk(principal, { limit: 5 }, async (page) => {
			seen.push(...page.data.map(({ id }) => id));
			const last = page.data.at(-1);
			if (last) await engine.videos.delete(principal, last.id);
		});
		await pages.finally(() => {
			writing = false;
		});
		await Promise.all(writers);
		expect(new Set(seen).size).toBe(seen.length);
		expect(seen).toEqual(expect.arrayContaining(before));
	});

	it("filters by state, and leaves out deleted videos", async () => {
		const { principal } = await opened.tenant();
		const ids = await createMany(principal, 9);
		for (const id of ids.slice(0, 4)) await engine.videos.cancel(principal, id);
		await engine.videos.delete(principal, ids[8] as string);
		expect(idsOf(await walk(principal, { state: "cancelled", limit: 3 })).toSorted()).toEqual(ids.slice(0, 4).sort());
		expect(idsOf(await walk(principal, { state: "pending_upload", limit: 2 })).toSorted()).toEqual(
			ids.slice(4, 8).sort(),
		);
		expect(await engine.videos.list(principal, { state: "available", limit: 2 })).toEqual({
			data: [],
			next_cursor: null,
		});
	});

	it("shows a domain its own, and a sandbox session only what the session made", async () => {
		const { principal } = await opened.tenant();
		const { principal: other } = await opened.tenant();
		await create(other);
		const one: TenantPrincipal = { ...principal, kind: "sandbox", sessionId: randomUUID() };
		const two: TenantPrincipal = { ...principal, kind: "sandbox", sessionId: randomUUID() };
		const made = [await create(one), await create(one), await create(two)];
		expect(idsOf(await walk(one, { limit: 1 })).toSorted()).toEqual(made.slice(0, 2).sort());
		expect(idsOf(await walk(two, { limit: 1 }))).toEqual(made.slice(2));
		expect(idsOf(await walk(one, { limit: 1, state: "pending_upload" })).toSorted()).toEqual(made.slice(0, 2).sort());
		expect(idsOf(await walk(principal, { limit: 1 })).toSorted()).toEqual(made.toSorted());
	});

	it("refuses a cursor of another tenant, session, filter or list, or one that was changed", async () => {
		const { principal } = await opened.tenant();
		const { principal: other } = await opened.tenant();
		const session: TenantPrincipal = { ...principal, kind: "sandbox", sessionId: randomUUID() };
		for (const owner of [principal, session]) for (let index = 0; index < 2; index++) await create(owner);
		const cursor = (await engine.videos.list(principal, { limit: 1 })).next_cursor as string;
		const filtered = (await engine.videos.list(principal, { limit: 1, state: "pending_upload" })).next_cursor as string;
		const sessions = (await engine.videos.list(session, { limit: 1 })).next_cursor as string;
		const refuse = (asked: Promise<unknown>) => expect(asked).rejects.toMatchObject({ code: "invalid_cursor" });
		await refuse(engine.videos.list(other, { limit: 1, cursor }));
		await refuse(engine.videos.list(session, { limit: 1, cursor }));
		await refuse(engine.videos.list(principal, { limit: 1, cursor: sessions }));
		await refuse(engine.videos.list({ ...session, sessionId: randomUUID() }, { limit: 1, cursor: sessions }));
		await refuse(engine.videos.list(principal, { limit: 1, state: "pending_upload", cursor }));
		await refuse(engine.videos.list(principal, { limit: 1, cursor: filtered }));
		await refuse(engine.videos.list(principal, { limit: 1, state: "failed", cursor: filtered }));
		await refuse(engine.webhooks.listDeliveries(principal, { limit: 1, cursor }));
		for (const text of ["", "x", `${cursor}x`, `x${cursor.slice(1)}`, cursor.toUpperCase(), "x".repeat(10_000)]) {
			await refuse(engine.videos.list(principal, { limit: 1, cursor: text }));
		}
		expect((await engine.videos.list(principal, { limit: 100, cursor })).data).toHaveLength(3);
	});

	it("refuses limits out of bounds", async () => {
		const { principal } = await opened.tenant();
		for (const limit of [0, -1, 101, 1.5, Number.NaN]) {
			await expect(engine.videos.list(principal, { limit })).rejects.toMatchObject({
				code: "validation_error",
				message: expect.stringContaining("limit"),
			});
		}
	});

	it("holds the videos of a reference alone, and takes its cursors with the same filters only", async () => {
		const { principal } = await opened.tenant();
		const made: Video[] = [];
		for (let index = 0; index < 12; index++) {
			await opened.clock.advance(1);
			const refs = { external_ref: `e${index % 2}`, uploader_ref: `u${index}` };
			made.push((await engine.videos.create(principal, { ...clip, ...refs })).video);
		}
		for (const { id } of made.filter((_, index) => index % 4 === 0)) await engine.videos.cancel(principal, id);
		const listed = async (request: Omit<Request, "cursor" | "limit">) =>
			idsOf(await walk(principal, { ...request, limit: 2 }));
		const ids = (wanted: (index: number) => boolean) =>
			made
				.filter((_, index) => wanted(index))
				.map(({ id }) => id)
				.reverse();
		expect(await listed({ external_ref: "e1" })).toEqual(ids((index) => index % 2 === 1));
		expect(await listed({ external_ref: "e0", state: "cancelled" })).toEqual(ids((index) => index % 4 === 0));
		expect(await listed({ uploader_ref: "u7" })).toEqual([made[7]?.id]);
		expect(await listed({ external_ref: "e1", uploader_ref: "u6" })).toEqual([]);
		expect(await listed({ external_ref: "E1" })).toEqual([]);
		expect(await listed({ external_ref: "e%" })).toEqual([]);

		const page = (request: Omit<Request, "limit">) => engine.videos.list(principal, { limit: 1, ...request });
		const { next_cursor } = await page({ external_ref: "e0" });
		const cursor = next_cursor ?? "";
		expect((await page({ external_ref: "e0", cursor })).data).toHaveLength(1);
		for (const other of [
			{},
			{ external_ref: "e1" },
			{ uploader_ref: "e0" },
			{ external_ref: "e0", state: "cancelled" as const },
			{ external_ref: "e0", uploader_ref: "u0" },
		])
			await expect(page({ ...other, cursor })).rejects.toMatchObject({ code: "invalid_cursor" });
	});

	it("finds videos by the beginning of a reference or an id, be they few or many", async () => {
		const { principal, domain } = await opened.tenant();
		const { principal: other } = await opened.tenant();
		const made: Video[] = [];
		for (const [external_ref, uploader_ref] of [
			["Holiday in Tromsø.mp4", "ada"],
			["holidays.mov", "u%1"],
			["HOLIDAY_2.mp4", "holger"],
			["a holiday", "Ada"],
			["100 %.mp4", "Zo\u00eb"],
		] as const) {
			await opened.clock.advance(1);
			made.push((await engine.videos.create(principal, { ...clip, external_ref, uploader_ref })).video);
		}
		await engine.videos.create(other, { ...clip, external_ref: "holiday of somebody else" });
		for (const [index, title] of [
			// As a Mac names a file.
			[1, "Zug nach Su\u0308den"],
			[4, "ZUG um Zug"],
		] as const)
			await engine.metadata.set(principal, made[index]?.id ?? "", { title, values: { zug: "holiday" } });
		const found = async (search: string, request: Omit<Request, "cursor" | "limit"> = {}) =>
			idsOf(await walk(principal, { ...request, search, limit: 2 })).map((id) =>
				made.findIndex((one) => one.id === id),
			);
		const expectAll = async () => {
			expect(await found("holiday")).toEqual([2, 1, 0]);
			expect(await found("HOL")).toEqual([2, 1, 0]);
			expect(await found("holiday in tromsØ")).toEqual([0]);
			expect(await found("ada")).toEqual([3, 0]);
			expect(await found("u%")).toEqual([1]);
			expect(await found("100 %.mp4")).toEqual([4]);
			expect(await found("zug")).toEqual([4, 1]);
			expect(await found("Zug nach s")).toEqual([1]);
			expect(await found("zug nach S\u00fcd")).toEqual([1]);
			expect(await found("zoe\u0308")).toEqual([4]);
			expect(await found("nach")).toEqual([]);
			expect(await found("zug", { metadata_key: "zug", metadata_value: "holiday" })).toEqual([4, 1]);
			expect(await found("zug", { metadata_key: "zug", metadata_value: "late" })).toEqual([]);
			expect(await found("%")).toEqual([]);
			expect(await found("holiday", { state: "available" })).toEqual([]);
			expect(await found("holiday", { uploader_ref: "ada" })).toEqual([0]);
			for (const length of [8, 9, 13, 14, 20, 36])
				expect(await found((made[3]?.id ?? "").toUpperCase().slice(0, length))).toEqual([3]);
			expect(await found((made[3]?.id ?? "").slice(0, 7))).toEqual([]);
			expect(await found(`${made[3]?.id}0`)).toEqual([]);
			expect(await found((made[3]?.id ?? "").replaceAll("-", ""))).toEqual([]);
		};
		await expectAll();
		const { next_cursor } = await engine.videos.list(principal, { limit: 1, search: "holiday" });
		await expect(
			engine.videos.list(principal, { limit: 1, search: "holidays", cursor: next_cursor ?? "" }),
		).rejects.toMatchObject({ code: "invalid_cursor" });

		await seedVideos(opened.database, domain.id, 6000);
		await opened.database.query({
			text: "update reelmill.videos set external_ref = 'IMG_' || right(id::text, 8) where domain_id = $1 and external_ref is null",
			values: [domain.id],
		});
		await expectAll();
		await opened.database.query({
			text: "insert into reelmill.video_titles select id, domain_id, 'Titled ' || right(external_ref, 3) from reelmill.videos where domain_id = $1 and external_ref like 'IMG%'",
			values: [domain.id],
		});
		await opened.database.query({
			text: "insert into reelmill.video_values select video_id, 'zug', 'late', domain_id, created_at from reelmill.video_titles join reelmill.videos using (domain_id) where id = video_id and title like 'Titled%' limit 3",
			values: [],
		});
		await expectAll();
		for (const search of ["img_", "titled"]) {
			const late = await walk(principal, { search, metadata_key: "zug", metadata_value: "late", limit: 2 });
			expect(videosOf(late)).toEqual(videosOf(late).toSorted(newestFirst));
			expect(idsOf(late)).toHaveLength(3);
			const many = await walk(principal, { search, limit: 100 });
			expect(idsOf(many)).toHaveLength(6000);
			expect(videosOf(many)).toEqual(videosOf(many).toSorted(newestFirst));
		}
	});

	it("reads no more rows than it answers, whatever the filter and however deep the page", async () => {
		const { principal, domain } = await opened.tenant();
		await seedVideos(opened.database, domain.id, 20_000);
		const statements: Statement[] = [];
		const database: Database = {
			...opened.database,
			query: (statement) => {
				statements.push(statement);
				return opened.database.query(statement);
			},
		};
		const { list } = createEngine({ ...opened.options, database }).videos;
		for (const state of [undefined, "expired", "available", "failed"] as const) {
			let cursor = (await list(principal, { state, limit: 10 })).next_cursor as string;
			if (state !== "failed")
				for (let page = 0; page < 10; page++)
					cursor = (await list(principal, { state, limit: 100, cursor })).next_cursor as string;
			expect((await list(principal, { state, limit: 9, cursor })).data).toHaveLength(9);
			expect(await rowsRead(statements.at(-1) as Statement)).toBe(10);
		}
		await opened.database.query({
			text: "update reelmill.videos set external_ref = 'e' || extract(milliseconds from created_at)::integer % 20, uploader_ref = 'u' || extract(milliseconds from created_at)::integer % 20 where domain_id = $1",
			values: [domain.id],
		});
		await opened.database.query({ text: "vacuum analyze reelmill.videos", values: [] });
		await opened.database.query({
			text: "insert into reelmill.video_values select id, 'of', uploader_ref, domain_id, created_at from reelmill.videos where domain_id = $1 and uploader_ref in ('u7', 'u8')",
			values: [domain.id],
		});
		await opened.database.query({ text: "vacuum analyze reelmill.video_values", values: [] });
		const valued = { metadata_key: "of", metadata_value: "u7" };
		for (const filter of [{ external_ref: "e7" }, { uploader_ref: "u7" }, valued]) {
			let cursor = (await list(principal, { ...filter, limit: 10 })).next_cursor as string;
			for (let page = 0; page < 5; page++)
				cursor = (await list(principal, { ...filter, limit: 100, cursor })).next_cursor as string;
			expect((await list(principal, { ...filter, limit: 9, cursor })).data).toHaveLength(9);
			expect(await rowsRead(statements.at(-1) as Statement)).toBe(10);
		}
	});
});

describe("the counts of videos", () => {
	it("are those of the domain by state, without deleted videos and outros", async () => {
		const { principal } = await opened.tenant();
		const counted = async (who = principal) =>
			(await engine.videos.count(who)).data.filter(({ count }) => count > 0).map(({ state, count }) => [state, count]);
		expect(await counted()).toEqual([]);
		const [first, second] = await createMany(principal, 4);
		await engine.videos.cancel(principal, first as string);
		await engine.videos.delete(principal, second as string);
		await uploadVideo(opened, principal);
		await engine.outros.create(principal, { ...clip, slug: "tail" });
		expect(await counted()).toEqual([
			["pending_upload", 2],
			["queued", 1],
			["cancelled", 1],
		]);
		expect((await engine.videos.count(principal)).data.map(({ state }) => state)).toEqual(videoStates);
		expect(await counted((await opened.tenant()).principal)).toEqual([]);
		const sessionId = randomUUID();
		await opened.database.query({
			text: "update reelmill.videos set session_id = $2 where id = $1",
			values: [first, sessionId],
		});
		expect(await counted({ ...principal, sessionId })).toEqual([["cancelled", 1]]);
	});

	it("stop at ten thousand of a state, and say so", async () => {
		const { principal, domain } = await opened.tenant();
		await seedVideos(opened.database, domain.id, 12_000);
		const { data } = await engine.videos.count(principal);
		expect(data.filter(({ count }) => count > 0)).toEqual([
			{ state: "available", count: 1200, more: false },
			{ state: "failed", count: 20, more: false },
			{ state: "expired", count: 10_000, more: true },
		]);
	});
});

type Plan = {
	"Node Type": string;
	"Relation Name"?: string;
	"Actual Rows": number;
	"Actual Loops": number;
	"Rows Removed by Filter"?: number;
	Plans?: Plan[];
};

/** Rows of `videos` that the server looks at for a statement. */
async function rowsRead({ text, values }: Statement): Promise<number> {
	const [row] = await opened.database.query<{ "QUERY PLAN": [{ Plan: Plan }] }>({
		text: `explain (analyze, timing off, format json) ${text}`,
		values,
	});
	const count = (plan: Plan): number =>
		(plan["Relation Name"] === "videos"
			? plan["Actual Loops"] * (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0))
			: 0) + (plan.Plans ?? []).reduce((sum, child) => sum + count(child), 0);
	if (row === undefined) throw new Error("nothing was explained");
	return count(row["QUERY PLAN"][0].Plan);
}

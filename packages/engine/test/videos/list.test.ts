import { randomUUID } from "node:crypto";
import type { Video } from "@reelmill/contracts";
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
	});
});

type Plan = {
	"Node Type": string;
	"Relation Name"?: string;
	"Actual Rows": number;
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
		(plan["Relation Name"] === "videos" ? plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0) : 0) +
		(plan.Plans ?? []).reduce((sum, child) => sum + count(child), 0);
	if (row === undefined) throw new Error("nothing was explained");
	return count(row["QUERY PLAN"][0].Plan);
}

import { hash } from "node:crypto";
import type { EdgeFeed } from "@reelmill/contracts";
import { createEngine, type Engine, type TenantPrincipal } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countingDatabase } from "../support/counting-database.ts";
import { finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
/** Another server over the same database. */
let other: Engine;
beforeAll(async () => {
	opened = await openEngine({ playbackKeyAlgorithm: "EdDSA", playableFirst: true });
	other = createEngine(opened.options);
});
afterAll(() => opened.close());

/** Just over what a server may remember. */
const staleness = 1001;
const hour = 3_600_000;
const query = (text: string, ...values: unknown[]) => opened.database.query({ text, values });
async function feed(domainId: string, engine = opened.engine): Promise<EdgeFeed> {
	return JSON.parse((await engine.playback.edgeFeed(domainId)).body) as EdgeFeed;
}
const digestOf = (id: string) => hash("sha256", id, "base64url").slice(0, 16);
async function published(principal: TenantPrincipal): Promise<string> {
	const { video } = await uploadVideo(opened, principal);
	await finishJob(opened, await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" }));
	return video.id;
}
/** A tenant whose feed has been read for so long that its generation stands. */
async function followed() {
	const tenant = await opened.tenant();
	await feed(tenant.domain.id);
	await opened.clock.advance(61_000);
	return { ...tenant, domainId: tenant.domain.id };
}

describe("the feed of an edge", () => {
	it("has a video that is deleted, made private or made public, anew each time, on each server after a second", async () => {
		const { principal, domainId } = await followed();
		const { videos } = opened.engine;
		const [one, two, untouched] = [await published(principal), await published(principal), await published(principal)];
		await opened.clock.advance(staleness);
		expect((await feed(domainId)).videos).toEqual({});
		await videos.setVisibility(principal, one, "public");
		await opened.clock.advance(staleness);
		const first = await feed(domainId);
		expect(Object.keys(first.videos)).toEqual([digestOf(one)]);
		await videos.setVisibility(principal, one, "private");
		await videos.delete(principal, two);
		await opened.clock.advance(staleness);
		const then = await feed(domainId);
		expect(Object.keys(then.videos).sort()).toEqual([digestOf(one), digestOf(two)].sort());
		expect(then.videos[digestOf(one)]).not.toBe(first.videos[digestOf(one)]);
		expect(await feed(domainId, other)).toEqual(then);
		expect(then.generation).toBe(first.generation);
		expect(then.videos).not.toHaveProperty(digestOf(untouched));
	});

	it("has another generation while other origins may read the files, and the one before after them", async () => {
		const { domainId } = await followed();
		const { generation } = await feed(domainId);
		const generations: string[] = [];
		for (const cors_origins of [["https://one.example"], ["https://two.example"], []]) {
			await opened.engine.domains.updateConfig(domainId, { cors_origins });
			await opened.clock.advance(staleness);
			generations.push((await feed(domainId)).generation);
		}
		expect(new Set(generations).size).toBe(3);
		expect(generations[2]).toBe(generation);
	});

	it("keeps a change for 25 hours, while somebody reads it", async () => {
		const { principal, domainId } = await followed();
		const id = await published(principal);
		await opened.engine.videos.delete(principal, id);
		const { generation } = await feed(domainId);
		for (let hours = 0; hours < 25; hours++) {
			await opened.clock.advance(hour - 1);
			expect((await feed(domainId)).videos).toHaveProperty(digestOf(id));
		}
		await opened.clock.advance(hour);
		expect(await feed(domainId)).toMatchObject({ videos: {}, generation });
		await opened.engine.sweep();
		expect(await query("select 1 from reelmill.edge_changes where domain_id = $1", domainId)).toEqual([]);
	});

	it("notes nothing while nobody reads it, and has another generation for whoever reads it again", async () => {
		const { principal, domainId } = await followed();
		const [one, two] = [await published(principal), await published(principal)];
		const { generation } = await feed(domainId);
		await opened.clock.advance(2 * hour);
		await opened.engine.videos.delete(principal, one);
		expect(await query("select 1 from reelmill.edge_changes where domain_id = $1", domainId)).toEqual([]);
		const again = await feed(domainId);
		expect(again.videos).toEqual({});
		expect(again.generation).not.toBe(generation);
		await opened.engine.videos.delete(principal, two);
		await opened.clock.advance(61_000);
		const later = await feed(domainId);
		expect(Object.keys(later.videos)).toEqual([digestOf(two)]);
		// A deletion that began before the first read may have noted nothing.
		expect(later.generation).not.toBe(again.generation);
		const unread = await opened.tenant();
		await opened.engine.videos.delete(unread.principal, await published(unread.principal));
		expect(await query("select 1 from reelmill.edge_changes where domain_id = $1", unread.domain.id)).toEqual([]);
	});

	it("gives up the oldest changes where there are more than 2000, with another generation, the same on two servers", async () => {
		const { domainId } = await followed();
		const { generation } = await feed(domainId);
		const fill = (count: number) =>
			query(
				"insert into reelmill.edge_changes (domain_id, video_id, changed_at) select $1, gen_random_uuid(), $2::timestamptz + n * interval '1 ms' from generate_series(1, $3::integer) n",
				domainId,
				new Date(opened.clock.now()),
				count,
			);
		await fill(2000);
		await opened.clock.advance(staleness);
		const full = await feed(domainId);
		expect([Object.keys(full.videos).length, full.generation]).toEqual([2000, generation]);
		await opened.clock.advance(staleness);
		await fill(1);
		const [here, there] = await Promise.all([feed(domainId), feed(domainId, other)]);
		expect(here).toEqual(there);
		expect(Object.keys(here.videos)).toHaveLength(1000);
		expect(here.generation).not.toBe(generation);
		const newest = "select video_id from reelmill.edge_changes where domain_id = $1 order by changed_at desc limit 1";
		const [{ video_id }] = (await query(newest, domainId)) as [{ video_id: string }];
		expect(here.videos).toHaveProperty(digestOf(video_id));
	});

	it("has a video whose files that could be played early make room for others at the same paths", async () => {
		const { principal, domainId } = await followed();
		const { jobs } = opened.engine;
		const versionOf = async (id: string) => {
			await opened.clock.advance(staleness);
			return (await feed(domainId)).videos[digestOf(id)];
		};
		const { video } = await uploadVideo(opened, principal);
		const job = await jobs.claimById(opened.worker, video.id, { worker: "w" });
		const play = (prefix: string) =>
			query("update reelmill.jobs set playable = $2::jsonb where id = $1", video.id, { prefix, files: {} });
		await play("a/");
		expect(await versionOf(video.id)).toBeUndefined();
		await play("b/");
		const replaced = await versionOf(video.id);
		expect(replaced).toBeDefined();
		await finishJob(opened, job);
		const finished = await versionOf(video.id);
		expect(finished).not.toBe(replaced);
		expect(await versionOf(video.id)).toBe(finished);
	});

	it("has the videos that go with a person who is erased, and nobody's name", async () => {
		const { principal, domainId } = await followed();
		const { video } = await uploadVideo(opened, principal, { uploader_ref: "erna@example.com" });
		await finishJob(opened, await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" }));
		await opened.engine.playback.revoke(principal, { viewer_ref: "erna@example.com" });
		await opened.engine.erasures.create(principal, { uploader_ref: "erna@example.com" });
		await opened.clock.advance(staleness);
		const { body } = await opened.engine.playback.edgeFeed(domainId);
		expect(Object.keys(JSON.parse(body).videos)).toEqual([digestOf(video.id)]);
		for (const name of ["erna", video.id]) expect(body).not.toContain(name);
	});

	it("with 1000 revocations is at most 40 kB", async () => {
		const { principal, domainId } = await followed();
		const names = Array.from({ length: 1000 }, (_, n) => `${n}`.padStart(255, "viewer-"));
		for (let start = 0; start < 1000; start += 100)
			await Promise.all(
				names.slice(start, start + 100).map((viewer_ref) => opened.engine.playback.revoke(principal, { viewer_ref })),
			);
		await opened.clock.advance(staleness);
		const { body } = await opened.engine.playback.edgeFeed(domainId);
		expect(Object.keys(JSON.parse(body).viewers)).toHaveLength(1000);
		expect(body.length).toBeLessThanOrEqual(40_000);
		// While the master key changes, a viewer has a name under each of the two.
		const changing = createEngine({ ...opened.options, previousMasterKeys: [new Uint8Array(32).fill(8)] });
		expect(Object.keys((await feed(domainId, changing)).viewers)).toHaveLength(2000);
	});

	it("costs one statement a second, however many read it", async () => {
		const { domainId } = await followed();
		const counted = countingDatabase(opened.database);
		const busy = createEngine({ ...opened.options, database: counted });
		const read = () => Promise.all(Array.from({ length: 200 }, () => busy.playback.edgeFeed(domainId)));
		await read();
		await opened.clock.advance(staleness - 1);
		await read();
		expect(counted.sent).toHaveLength(1);
		await opened.clock.advance(1);
		await read();
		expect(counted.sent).toHaveLength(2);
	});
});

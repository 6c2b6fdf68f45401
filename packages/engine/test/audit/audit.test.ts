import type { AuditEntry } from "@reelmill/contracts";
import type { Actor } from "@reelmill/engine";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
afterAll(() => opened.close());
beforeEach(() => opened.database.query({ text: "delete from reelmill.audit", values: [] }));

const day = 86_400_000;
const ada: Actor = {
	kind: "account",
	id: "6f1c8a0e-6d1b-4a7b-9d53-0c2f6d6a1b11",
	label: "ada@example.com",
	address: "203.0.113.9",
	requestId: "request-1",
};
const operator: Actor = { ...ada, kind: "admin_key", id: null, label: "...wxyz" };
const admin: Actor = {
	...ada,
	id: "a3f1d6c2-3a53-4f0c-8a55-6a9be60c9b10",
	label: "root@example.com",
	isOperator: true,
};
const limit = 100;
const actions = (entries: readonly AuditEntry[]) => entries.map(({ action }) => action);

describe("the audit log", () => {
	it("is read page by page and narrowed by domain, actor, action and resource, newest first", async () => {
		const { engine, clock } = opened;
		const [one, other] = [await opened.tenant(), await opened.tenant()];
		for (const { domain } of [one, other])
			for (const by of [ada, operator]) {
				await engine.domains.rotateWebhookSecret(domain.id, {}, by);
				await clock.advance(1000);
				await engine.domains.updateConfig(domain.id, { transcript: by === ada }, by);
			}
		const all = (await engine.audit.list({ limit })).data;
		expect(all.map(({ at }) => at)).toEqual(
			all
				.map(({ at }) => at)
				.toSorted()
				.toReversed(),
		);
		const filters = [
			[{ domain_id: one.domain.id }, 5],
			[{ actor: "ada@example.com" }, 4],
			[{ actor: ada.id ?? "" }, 4],
			[{ actor: "...wxyz" }, 4],
			[{ action: "domain.config_updated" }, 4],
			[{ resource_id: other.domain.id }, 5],
			[{ domain_id: one.domain.id, actor: "ada@example.com", action: "domain.config_updated" }, 1],
			[{ actor: "ada" }, 0],
		] as const;
		for (const [filter, count] of filters) {
			const found: AuditEntry[] = [];
			let cursor: string | undefined;
			do {
				const page = await engine.audit.list({ limit: 2, ...filter, ...(cursor && { cursor }) });
				found.push(...page.data);
				cursor = page.next_cursor ?? undefined;
			} while (cursor !== undefined);
			const { data } = await engine.audit.list({ limit, ...filter });
			expect([found, found.length], JSON.stringify(filter)).toEqual([data, count]);
			expect(all.filter(({ id }) => found.some((entry) => entry.id === id))).toEqual(found);
		}
		const { next_cursor } = await engine.audit.list({ limit: 1, domain_id: one.domain.id });
		for (const filter of [{}, { domain_id: other.domain.id }, { domain_id: one.domain.id, actor: "engine" }])
			await expect(engine.audit.list({ limit: 1, ...filter, cursor: next_cursor ?? "" })).rejects.toMatchObject({
				code: "invalid_cursor",
			});
	});

	it("shows a tenant its own domain alone, and of an operator neither name nor address", async () => {
		const { engine } = opened;
		const [one, other] = [await opened.tenant(), await opened.tenant()];
		await engine.domains.updateConfig(one.domain.id, { transcript: true }, ada);
		await engine.domains.rotateKey(one.domain.id, {}, operator);
		await engine.admin.updateDomain(one.domain.id, { limits: { storage_bytes_limit: 9 } }, admin);
		await engine.domains.rotateKey(other.domain.id, {}, ada);
		const list = async (filter: object = {}) =>
			(await engine.audit.listOfDomain(one.principal, { limit, ...filter })).data;
		const shown = await list();
		expect(new Set(shown.map(({ domain_id }) => domain_id))).toEqual(new Set([one.domain.id]));
		expect(
			shown.map(({ action, actor, address, request_id }) => [action, actor.label, actor.id, address, request_id]),
		).toEqual(
			expect.arrayContaining([
				["domain.config_updated", "ada@example.com", ada.id, "203.0.113.9", "request-1"],
				["domain.key_rotated", "operator", null, null, null],
				["domain.updated", "operator", null, null, null],
			]),
		);
		expect(actions(await list({ actor: "operator" })).toSorted()).toEqual(["domain.key_rotated", "domain.updated"]);
		for (const actor of ["...wxyz", "root@example.com", admin.id]) expect(await list({ actor })).toEqual([]);
	});

	it("names what a patch changed, also if two come at once", async () => {
		const { engine } = opened;
		const { domain } = await opened.tenant();
		await Promise.all([
			engine.domains.updateConfig(domain.id, { transcript: true, outputs: { dash: true, hls: true } }, ada),
			engine.domains.updateConfig(domain.id, { transcript: true, webhook_secret: "whsec_secret" }, operator),
		]);
		await engine.domains.updateConfig(domain.id, { transcript: true, webhook_secret: null }, ada);
		await engine.domains.updateConfig(domain.id, { webhook_secret: null }, ada);
		const { data } = await engine.audit.list({ limit, action: "domain.config_updated" });
		const names = data.flatMap(({ changed }) => changed).toSorted();
		expect(names).toEqual(["outputs.dash", "outputs.hls", "transcript", "webhook_secret", "webhook_secret"]);
		expect(data).toHaveLength(3);
	});

	it("takes a label that the database couldn't store, cut and without what it can't hold", async () => {
		const { engine } = opened;
		const { domain } = await opened.tenant();
		const label = `a\0\ud800${"x".repeat(100_000)}`;
		await engine.domains.rotateKey(domain.id, {}, { ...ada, label, address: label, requestId: label });
		const [entry] = (await engine.audit.list({ limit: 1, action: "domain.key_rotated" })).data;
		expect(entry?.actor.label).toBe(`a\ufffd${"x".repeat(318)}`);
	});

	it("says that the engine did what nobody asked for over HTTP", async () => {
		const { domain } = await opened.tenant();
		await opened.clock.advance(1);
		await opened.engine.domains.addKey(domain.id);
		const { data } = await opened.engine.audit.list({ limit, domain_id: domain.id });
		expect(data.map(({ action, actor, address }) => [action, actor, address])).toEqual(
			["domain.key_added", "domain.created"].map((action) => [
				action,
				{ kind: "engine", id: null, label: "engine" },
				null,
			]),
		);
	});

	it("is kept for 400 days, and outlives what it tells of", async () => {
		const { engine, clock } = opened;
		const { domain, principal } = await opened.tenant();
		await engine.playback.revoke(principal, { viewer_ref: "v" }, ada);
		await engine.admin.deleteDomain(domain.id, operator);
		for (const milliseconds of [40 * day, 360 * day - 1]) {
			await engine.sweep();
			await clock.advance(milliseconds);
		}
		await engine.sweep();
		const rows = await opened.database.query({
			text: "select from reelmill.domains where id = $1",
			values: [domain.id],
		});
		expect(rows).toHaveLength(0);
		const kept = (await engine.audit.list({ limit, domain_id: domain.id })).data;
		expect(actions(kept).toSorted()).toEqual(["domain.created", "domain.deleted", "playback_keys.revoked"]);
		await clock.advance(1);
		await engine.sweep();
		expect((await engine.audit.list({ limit })).data).toEqual([]);
	});

	it("finds a page of any filter by an index, however many entries there are", async () => {
		const { engine, database } = opened;
		const { domain, principal } = await opened.tenant();
		await database.query({
			text: `insert into reelmill.audit select gen_random_uuid(), '2026-01-01'::timestamptz + n * interval '1 s', 'account', 'id-' || n % 50, 'label-' || n % 50, false,
				'video.deleted', 'video', 'video-' || n % 5000, null, '{}', gen_random_uuid(), null, null from generate_series(1, 50000) n`,
			values: [],
		});
		await database.query({ text: "analyze reelmill.audit", values: [] });
		const before = await readByScans();
		await engine.audit.list({ limit: 20 });
		await engine.audit.list({ limit: 20, domain_id: domain.id });
		await engine.audit.list({ limit: 20, actor: "label-7" });
		await engine.audit.list({ limit: 20, action: "domain.created" });
		await engine.audit.list({ limit: 20, resource_id: "video-77" });
		await engine.audit.listOfDomain(principal, { limit: 20 });
		// Other sessions tell late what they read before there were many.
		expect((await readByScans()) - before).toBeLessThan(100);

		/** How many rows whole scans of the table read so far. */
		async function readByScans(): Promise<number> {
			await database.query({ text: "select pg_stat_force_next_flush()", values: [] });
			const [row] = await database.query<{ read: number }>({
				text: "select seq_tup_read::bigint as read from pg_stat_user_tables where schemaname = 'reelmill' and relname = 'audit'",
				values: [],
			});
			return row?.read ?? -1;
		}
	});
});

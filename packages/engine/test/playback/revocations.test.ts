import { createEngine, type Database, type Engine, type TenantPrincipal } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMintOrder } from "../../src/playback/mint-order.ts";
import { createTokenFamily, deriveKey } from "../../src/secrets/index.ts";
import { finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
/** Another server over the same database. */
let other: Engine;
beforeAll(async () => {
	opened = await openEngine();
	other = createEngine(opened.options);
});
afterAll(() => opened.close());

/** Just over the two seconds that another server may remember. */
const staleness = 2001;
const day = 86_400_000;

async function published() {
	const tenant = await opened.tenant();
	const { video } = await uploadVideo(opened, tenant.principal);
	await finishJob(opened, await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" }));
	return { ...tenant, id: video.id };
}
async function mint(
	principal: TenantPrincipal,
	viewer_ref = "viewer",
	engine = opened.engine,
	ttl_seconds = 3600,
): Promise<string> {
	return `Bearer ${(await engine.playback.createKey(principal, { viewer_ref, ttl_seconds })).playback_key}`;
}
const opens = (engine: Engine, videoId: string, authorization: string): Promise<boolean> =>
	engine.serving.open({ videoId, path: "web.mp4", authorization }).then(
		() => true,
		(error: { code?: string }) => {
			if (error.code !== "playback_key_invalid") throw error;
			return false;
		},
	);
/** What anybody can read in a key who has it. */
const claimsOf = (authorization: string) =>
	JSON.parse(Buffer.from(authorization.split(".")[1] ?? "", "base64url").toString());
const keyOf = (purpose: "mint-order" | "playback-key") => deriveKey(opened.options.masterKey, purpose);
const orderOf = (authorization: string): number =>
	createMintOrder([keyOf("mint-order")]).open(claimsOf(authorization).order);
const query = (text: string, ...values: unknown[]) => opened.database.query({ text, values });

describe("revoking a viewer", () => {
	it("ends the keys that the viewer has, and no other's", async () => {
		const { principal, id } = await published();
		const foreign = await published();
		const [before, elses, foreigns] = [
			await mint(principal),
			await mint(principal, "else"),
			await mint(foreign.principal),
		];
		const revocation = await opened.engine.playback.revoke(principal, { viewer_ref: "viewer" });
		expect(revocation).toEqual({ viewer_ref: "viewer", revoked_at: new Date(opened.clock.now()).toISOString() });
		await opened.clock.advance(staleness);
		expect(await opens(opened.engine, id, before)).toBe(false);
		expect(await opens(opened.engine, id, elses)).toBe(true);
		expect(await opens(opened.engine, foreign.id, foreigns)).toBe(true);
	});

	it("is seen by another server within two seconds, which lets a key minted right after in at once", async () => {
		const { principal, id } = await published();
		const before = await mint(principal);
		for (const engine of [opened.engine, other]) expect(await opens(engine, id, before)).toBe(true);
		await opened.engine.playback.revoke(principal, { viewer_ref: "viewer" });
		const after = await mint(principal);
		expect(await opens(other, id, after)).toBe(true);
		await opened.clock.advance(staleness);
		for (const engine of [opened.engine, other]) {
			expect(await opens(engine, id, before)).toBe(false);
			expect(await opens(engine, id, after)).toBe(true);
		}
	});

	it("done again ends the keys minted in between too", async () => {
		const { principal, id } = await published();
		await opened.engine.playback.revoke(principal, { viewer_ref: "viewer" });
		const between = await mint(principal);
		await opened.engine.playback.revoke(principal, { viewer_ref: "viewer" });
		await opened.clock.advance(staleness);
		expect(await opens(opened.engine, id, between)).toBe(false);
		expect(await opens(opened.engine, id, await mint(principal))).toBe(true);
	});

	it("divides mints that run at the same moment on two servers exactly by their place, and never against what came first", async () => {
		const { principal, id } = await published();
		let moment = 0;
		const timed = async <T>(work: () => Promise<T>) => {
			const started = moment++;
			const result = await work();
			return { result, started, ended: moment++ };
		};
		const engines = [opened.engine, other] as const;
		const minting: ReturnType<typeof timed<string>>[] = [];
		const revoking: ReturnType<typeof timed<unknown>>[] = [];
		for (let round = 0; round < 60; round++) {
			const engine = engines[round % 2] ?? other;
			const mints = Array.from({ length: 3 }, () => timed(() => mint(principal, "viewer", engine)));
			minting.push(...mints);
			if (round % 4 === 1) revoking.push(timed(() => other.playback.revoke(principal, { viewer_ref: "viewer" })));
			if (round % 4 === 3)
				revoking.push(timed(() => opened.engine.playback.revoke(principal, { viewer_ref: "viewer" })));
			await Promise.race(mints);
		}
		const revocations = await Promise.all(revoking);
		const keys = await Promise.all(minting);
		const [row] = await query(
			"select revoked_order from reelmill.playback_revocations where domain_id = $1",
			principal.domainId,
		);
		await opened.clock.advance(staleness);
		for (const { result: key, started, ended } of keys) {
			const open = await opens(opened.engine, id, key);
			expect(open).toBe(orderOf(key) > Number(row?.["revoked_order"]));
			if (revocations.some((revocation) => revocation.started > ended)) expect(open).toBe(false);
			if (revocations.every((revocation) => revocation.ended < started)) expect(open).toBe(true);
		}
		expect(
			keys.filter(({ ended }) => revocations.some((revocation) => revocation.started > ended)).length,
		).toBeGreaterThan(50);
	});

	it("decides on a mint in flight by whether its place was drawn before", async () => {
		const { principal, id } = await published();
		const steps: { readonly sent: Promise<unknown>; answer: () => void }[] = [];
		const held: Database = {
			migrate: (migrations) => opened.database.migrate(migrations),
			async query(statement) {
				if (!statement.text.includes("playback_mint_order")) return opened.database.query(statement);
				const sent = opened.database.query(statement);
				await new Promise<void>((resolve) => steps.push({ sent, answer: resolve }));
				return (await sent) as never;
			},
		};
		const slow = createEngine({ ...opened.options, database: held });
		const drawnBefore = mint(principal, "viewer", slow);
		await steps[0]?.sent;
		await opened.engine.playback.revoke(principal, { viewer_ref: "viewer" });
		const drawnAfter = mint(principal, "viewer", slow);
		await steps[1]?.sent;
		expect(steps).toHaveLength(2);
		for (const step of steps) step.answer();
		await opened.clock.advance(staleness);
		expect(await opens(opened.engine, id, await drawnBefore)).toBe(false);
		expect(await opens(opened.engine, id, await drawnAfter)).toBe(true);
	});

	it("is refused past 1000 viewers of a domain, exactly, by two servers at once; a viewer who is among them can be revoked again", async () => {
		const { principal } = await opened.tenant();
		await query(
			"insert into reelmill.playback_revocations (domain_id, viewer_ref, revoked_order, revoked_at) select $1, 'seeded-' || n, n, $2 from generate_series(1, 985) n",
			principal.domainId,
			new Date(opened.clock.now()),
		);
		const outcomes = await Promise.allSettled(
			Array.from({ length: 40 }, (_, index) =>
				(index % 2 ? other : opened.engine).playback.revoke(principal, { viewer_ref: `new-${index}` }),
			),
		);
		const refused = outcomes.filter((outcome) => outcome.status === "rejected");
		expect([outcomes.length - refused.length, refused.length]).toEqual([15, 25]);
		for (const { reason } of refused) expect(reason).toMatchObject({ code: "playback_revocation_limit" });
		expect(await opened.engine.playback.revoke(principal, { viewer_ref: "seeded-1" })).toMatchObject({
			viewer_ref: "seeded-1",
		});
		expect(await opened.engine.playback.revoke((await opened.tenant()).principal, { viewer_ref: "new" })).toMatchObject(
			{ viewer_ref: "new" },
		);
	});

	it("of one new viewer by many at once takes one place", async () => {
		const { principal } = await opened.tenant();
		await Promise.all(
			Array.from({ length: 20 }, (_, index) =>
				(index % 2 ? other : opened.engine).playback.revoke(principal, { viewer_ref: "same" }),
			),
		);
		expect(
			await query("select viewer_ref from reelmill.playback_revocations where domain_id = $1", principal.domainId),
		).toEqual([{ viewer_ref: "same" }]);
	});

	it("is forgotten after 24 hours, which frees its place; a key that it ended stays ended", async () => {
		const { principal, id } = await published();
		const longest = await mint(principal, "viewer", opened.engine, 86_400);
		await opened.engine.playback.revoke(principal, { viewer_ref: "viewer" });
		const count = async () =>
			(await query("select viewer_ref from reelmill.playback_revocations where domain_id = $1", principal.domainId))
				.length;
		await opened.clock.advance(day - 1);
		await opened.engine.sweep();
		expect([await count(), await opens(opened.engine, id, longest)]).toEqual([1, false]);
		await opened.clock.advance(1);
		await opened.engine.sweep();
		expect([await count(), await opens(opened.engine, id, longest)]).toEqual([0, false]);
	});

	it("costs delivery no statement per request", async () => {
		const { principal, id } = await published();
		await opened.engine.playback.revoke(principal, { viewer_ref: "someone" });
		const key = await mint(principal);
		await opened.engine.playback.revoke(principal, { viewer_ref: "someone" });
		let statements = 0;
		const counting: Database = {
			migrate: (migrations) => opened.database.migrate(migrations),
			query: (statement) => {
				statements++;
				return opened.database.query(statement);
			},
		};
		const counted = createEngine({ ...opened.options, database: counting });
		for (let request = 0; request < 50; request++) expect(await opens(counted, id, key)).toBe(true);
		await Promise.all(Array.from({ length: 50 }, () => opens(counted, id, key)));
		// The video, the revocations, and the note that the domain was played for the first time.
		expect(statements).toBe(3);
		await opened.clock.advance(staleness);
		await Promise.all(Array.from({ length: 50 }, () => opens(counted, id, key)));
		expect(statements).toBe(5);
	});
});

describe("a key's order", () => {
	it("tells whoever reads the key neither how many were minted nor which of two came first", async () => {
		const { principal } = await published();
		const keys: string[] = [];
		for (let count = 0; count < 40; count++) keys.push(await mint(principal));
		const orders = keys.map((key) => claimsOf(key).order);
		expect(new Set(orders).size).toBe(40);
		for (const order of orders) expect(order).toMatch(/^[A-Za-z0-9_-]{22}$/);
		// Neighbours have no more of their 128 bits in common than chance gives: below 20 for one pair in 10^15.
		const bits = orders.map((order) => BigInt(`0x${Buffer.from(order, "base64url").toString("hex")}`));
		const differing = bits.slice(1).map((value, n) => (value ^ (bits[n] ?? 0n)).toString(2).replaceAll("0", "").length);
		expect(Math.min(...differing)).toBeGreaterThan(20);
		expect([...orders].sort()).not.toEqual(orders);
		expect(keys.map(orderOf)).toEqual(keys.map(orderOf).sort((a, b) => a - b));
	});

	it("is read in keys that were minted before it was sealed, until their end", async () => {
		const { principal, id } = await published();
		const tokens = createTokenFamily("service-playback", [keyOf("playback-key")], opened.clock);
		const [{ order }] = (await query("select nextval('reelmill.playback_mint_order') as order")) as [{ order: number }];
		const { token } = await tokens.sign({ sub: "viewer", domain: principal.domainId, epoch: 0, order }, 3600);
		const old = `Bearer ${token}`;
		expect(await opens(opened.engine, id, old)).toBe(true);
		await opened.engine.playback.revoke(principal, { viewer_ref: "else" });
		await opened.clock.advance(staleness);
		expect(await opens(opened.engine, id, old)).toBe(true);
		await opened.engine.playback.revoke(principal, { viewer_ref: "viewer" });
		await opened.clock.advance(staleness);
		expect(await opens(opened.engine, id, old)).toBe(false);
	});

	it("that another key sealed is not taken", () => {
		const [one, two] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
		const sealed = createMintOrder([one]).seal(5);
		expect(createMintOrder([one]).open(sealed)).toBe(5);
		expect(createMintOrder([two, one]).open(sealed)).toBe(5);
		for (const text of [sealed, sealed + sealed, "", "x"])
			expect(() => createMintOrder([two]).open(text)).toThrow(RangeError);
	});
});

describe("revoking all", () => {
	it("ends every key of the domain within two seconds on every server, and lets a key minted right after in at once", async () => {
		const { principal, id } = await published();
		const foreign = await published();
		const [before, foreigns] = [await mint(principal), await mint(foreign.principal)];
		expect(await opens(other, id, before)).toBe(true);
		expect(await opened.engine.playback.revokeAll(principal)).toEqual({ epoch: 1 });
		const after = await mint(principal);
		expect(await opens(other, id, after)).toBe(true);
		await opened.clock.advance(staleness);
		for (const engine of [opened.engine, other]) {
			expect(await opens(engine, id, before)).toBe(false);
			expect(await opens(engine, id, after)).toBe(true);
			expect(await opens(engine, foreign.id, foreigns)).toBe(true);
		}
	});

	it("deletes the revocations of single viewers, whose keys stay refused meanwhile", async () => {
		const { principal, id, domain } = await published();
		const old = await mint(principal);
		await opened.engine.playback.revoke(principal, { viewer_ref: "viewer" });
		await opened.clock.advance(staleness);
		expect(await opens(other, id, old)).toBe(false);
		// The other server still knows the epoch before, and looks for the viewer's revocation anew.
		await opened.clock.advance(staleness - 2);
		expect(await opens(other, id, await mint(principal))).toBe(true);
		await opened.engine.playback.revokeAll(principal);
		await opened.clock.advance(3);
		expect(await opens(other, id, old)).toBe(false);
		const rows = "select count(*)::integer as count from reelmill.playback_revocations where domain_id = $1";
		expect(await query(rows, domain.id)).toEqual([{ count: 0 }]);
		expect(await opens(other, id, await mint(principal))).toBe(true);
	});

	it("by two servers at once raises the epoch twice", async () => {
		const { principal } = await opened.tenant();
		const epochs = await Promise.all([
			opened.engine.playback.revokeAll(principal),
			other.playback.revokeAll(principal),
		]);
		expect(epochs.map(({ epoch }) => epoch).sort()).toEqual([1, 2]);
	});
});

import { createEngine } from "@reelmill/engine";
import sql from "sql-template-tag";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDuties } from "../../src/background/duties.ts";
import { type CountingDatabase, countingDatabase, settled } from "../support/counting-database.ts";
import { type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

const endLeases = () =>
	opened.database.query(sql`update reelmill.duties set expires_at = now() - interval '1 second' returning epoch`);

describe("a duty", () => {
	it("is one server's until it has expired, and has another number with each server", async () => {
		const parts = { ...opened.options, clock: opened.clock, random: opened.engine.random };
		const [first, second] = [createDuties(parts, { seconds: 60 }), createDuties(parts, { seconds: 60 })];
		const earlier = await first.take(["sweeps"], [sql`true`, sql`false`]);
		expect([earlier.has("sweeps"), earlier.has("local storage")]).toEqual([true, false]);
		expect([earlier.isDue(0), earlier.isDue(1)]).toEqual([true, false]);
		const other = await second.take(["sweeps", "local storage"], []);
		expect([other.has("sweeps"), other.has("local storage")]).toEqual([false, true]);
		expect((await first.take(["sweeps"], [])).has("sweeps")).toBe(true);
		expect((await endLeases()).map(({ epoch }) => epoch)).toEqual([1, 1]);
		expect((await second.take(["sweeps"], [])).has("sweeps")).toBe(true);
		expect((await first.take(["sweeps"], [])).has("sweeps")).toBe(false);
		expect((await endLeases()).map(({ epoch }) => epoch).toSorted()).toEqual([1, 2]);
	});

	it("ends for its server by its steady time, before another one has it, and at once when it is given back", async () => {
		const parts = { ...opened.options, clock: opened.clock, random: opened.engine.random };
		const [first, second] = [createDuties(parts, { seconds: 60 }), createDuties(parts, { seconds: 60 })];
		const turn = await first.take(["sweeps"], []);
		await opened.clock.advance(60_000);
		expect(turn.has("sweeps")).toBe(false);
		await first.release();
		expect((await second.take(["sweeps"], [])).has("sweeps")).toBe(true);
	});
});

describe("idle servers", () => {
	const pass = async (seconds: number, ...databases: CountingDatabase[]) => {
		for (let second = 0; second < seconds; second++) {
			await opened.clock.advance(1000);
			await settled(...databases);
		}
	};
	const forgets = ({ sent }: CountingDatabase) =>
		sent.filter(({ text }) => text.includes("delete from reelmill.audit")).length;

	it("send less than two statements a second each; one of them sweeps, and another one once that is gone", async () => {
		const [one, two] = [countingDatabase(opened.database), countingDatabase(opened.database)];
		const [first, second] = [one, two].map((database) => createEngine({ ...opened.options, database }));
		await first?.start();
		await settled(one);
		await second?.start();
		await pass(60, one, two);
		for (const { sent } of [one, two]) sent.length = 0;
		await pass(180, one, two);
		const [busy, other] = [one.sent.length / 180, two.sent.length / 180];
		console.log(
			`idle: ${busy.toFixed(2)} statements a second of the server that sweeps, ${other.toFixed(2)} of another`,
		);
		expect(busy).toBeLessThan(2);
		expect(other).toBeLessThan(2);
		expect([forgets(one), forgets(two)]).toEqual([3, 0]);

		// The first server dies: it asks nothing more, and its leases run out.
		one.query = () => Promise.reject(new Error("dead"));
		await endLeases();
		await pass(70, two);
		expect(forgets(two)).toBeGreaterThan(0);
		await Promise.all([first?.stop(), second?.stop()]);
	});
});

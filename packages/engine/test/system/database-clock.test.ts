import type { Database, Row } from "@reelmill/engine";
import { createDatabaseClock } from "@reelmill/engine";
import { createFakeClock, createRecordingLogger, type FakeClock, type RecordingLogger } from "@reelmill/engine/testing";
import { beforeEach, expect, it } from "vitest";

const [second, hour] = [1000, 3_600_000];

let machine: FakeClock;
let logger: RecordingLogger;
/** How far the database's clock is ahead of the time that really passes, which the machine's steady one shows. */
let ahead: number;
/** How long a question is on its way there, and its answer back. */
let way: { there: number; back: number };
let isSilent: boolean;
beforeEach(() => {
	machine = createFakeClock();
	logger = createRecordingLogger();
	ahead = machine.now();
	way = { there: 0, back: 0 };
	isSilent = false;
});

const databaseTime = () => machine.elapsed() + ahead;
const database: Database = {
	async query<R extends Row>(): Promise<R[]> {
		if (isSilent) throw new Error("no answer");
		await machine.advance(way.there);
		const at = databaseTime();
		await machine.advance(way.back);
		return [{ at }] as unknown as R[];
	},
	migrate: async () => undefined,
};
const open = () => createDatabaseClock({ database, logger, machine });
const errors = () =>
	logger.entries.filter(({ level }) => level === "error").map(({ message, fields }) => ({ message, fields }));

it("shows the machine's time until the database has told its own", async () => {
	ahead += hour;
	const clock = open();
	expect(clock.now()).toBe(machine.now());
	await clock.measure();
	expect(clock.now()).toBe(databaseTime());
});

it.each([hour, -hour, 100 * second, -100 * second, 15 * second, -15 * second])(
	"notices nothing of a step of the machine's clock by %i ms",
	async (step) => {
		const clock = open();
		await clock.measure();
		machine.step(step);
		expect(clock.now()).toBe(databaseTime());
		await machine.advance(5 * second);
		expect(clock.now()).toBe(databaseTime());
		await clock.measure();
		expect(clock.now()).toBe(databaseTime());
		expect(clock.machineAhead()).toBe(step);
	},
);

it("learns little from a slow answer, and nothing wrong", async () => {
	const clock = open();
	way = { there: 3, back: 1 };
	await clock.measure();
	expect(Math.abs(clock.now() - databaseTime())).toBeLessThanOrEqual(2);
	const known = Math.abs(clock.now() - databaseTime());
	for (const slow of [
		{ there: 5 * second, back: 0 },
		{ there: 0, back: 5 * second },
		{ there: 2 * second, back: 3 * second },
	]) {
		way = slow;
		await clock.measure();
		expect(Math.abs(clock.now() - databaseTime())).toBeLessThanOrEqual(known);
	}
});

it("comes close by a quick answer after a slow first one", async () => {
	const clock = open();
	way = { there: 4 * second, back: 0 };
	await clock.measure();
	expect(Math.abs(clock.now() - databaseTime())).toBeLessThanOrEqual(2 * second);
	way = { there: 1, back: 1 };
	await clock.measure();
	await machine.advance(2 * second);
	expect(Math.abs(clock.now() - databaseTime())).toBeLessThanOrEqual(2);
});

it("follows a machine whose steady time runs apart from the database's", async () => {
	const clock = open();
	way = { there: 1, back: 1 };
	await clock.measure();
	for (let minute = 0; minute < 60; minute++) {
		await machine.advance(60 * second);
		ahead += 30;
		await clock.measure();
		expect(Math.abs(clock.now() - databaseTime())).toBeLessThanOrEqual(2);
	}
	expect(errors()).toEqual([]);
});

it("stands still where the database's time turns out to be a little behind, and never goes back for it", async () => {
	const clock = open();
	await clock.measure();
	const before = clock.now();
	ahead -= 200;
	await clock.measure();
	expect(clock.now()).toBe(before);
	await machine.advance(150);
	expect(clock.now()).toBe(before);
	await machine.advance(100);
	expect(clock.now()).toBe(databaseTime());
});

it.each([hour, -hour])("follows the database when its clock is set by %i ms, and says so", async (step) => {
	const clock = open();
	await clock.measure();
	ahead += step;
	machine.step(step);
	await clock.measure();
	expect(clock.now()).toBe(databaseTime());
	expect(errors()).toEqual([
		{ message: expect.stringContaining("the database's clock was set"), fields: { seconds: step / 1000 } },
	]);
});

it("catches up after the machine was suspended, while its steady time stood still", async () => {
	const clock = open();
	await clock.measure();
	ahead += hour;
	await clock.measure();
	expect(clock.now()).toBe(databaseTime());
});

it("goes on by itself while the database is silent", async () => {
	const clock = open();
	await clock.measure();
	isSilent = true;
	await machine.advance(hour);
	await expect(clock.measure()).rejects.toThrow("no answer");
	expect(clock.now()).toBe(databaseTime());
});

it("shows whole milliseconds", async () => {
	ahead += 0.4;
	const clock = open();
	await clock.measure();
	await machine.advance(1.3);
	expect(Number.isInteger(clock.now())).toBe(true);
});

it("says once a minute that the machine's clock is wrong, from two seconds on", async () => {
	machine.step(1.9 * second);
	const clock = open();
	await clock.measure();
	expect(errors()).toEqual([]);
	machine.step(98.1 * second);
	for (let times = 0; times < 90; times++) {
		await clock.measure();
		await machine.advance(second);
	}
	expect(errors()).toEqual(
		Array.from({ length: 2 }, () => ({
			message: expect.stringContaining("this machine's clock is not the database's"),
			fields: { seconds: 100 },
		})),
	);
	expect(clock.machineAhead()).toBe(100 * second);
});

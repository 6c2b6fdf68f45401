import { createEngine, type Engine, type EngineOptions, type StorageMark } from "@reelmill/engine";
import { createRecordingLogger } from "@reelmill/engine/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
const engines: Engine[] = [];
beforeEach(async () => {
	opened = await openEngine({ sandbox: false });
});
afterEach(async () => {
	for (const engine of engines.splice(0)) await engine.stop();
	await opened.close();
});

/** A data directory as far as it is asked here: its mark. */
const directory = (mark: string): StorageMark => ({ read: async () => mark, keep: async () => mark });

/** Starts a server, and returns what it says of others. */
async function start(mark: string, options: Partial<EngineOptions> = {}) {
	const logger = createRecordingLogger();
	const engine = createEngine({ ...opened.options, ...options, logger, storageMark: directory(mark) });
	engines.push(engine);
	await engine.start();
	const told = () => logger.entries.filter(({ message }) => message.includes("another data directory")).length;
	return { engine, told };
}

/** Lets a minute go by, with the work that is done each minute. */
async function minute(engine: Engine): Promise<void> {
	await opened.clock.advance(61_000);
	await engine.sweep();
}

it("says at its start that another server has another data directory while a domain stores there", async () => {
	await opened.tenant();
	const first = await start("one");
	expect(first.told()).toBe(0);
	expect((await start("one")).told()).toBe(0);
	expect((await start("two")).told()).toBe(1);
	await minute(first.engine);
	expect(first.told()).toBe(1);
	await minute(first.engine);
	expect(first.told()).toBe(1);
});

it("says nothing while all domains store elsewhere, and nothing of a server that is long gone", async () => {
	await start("one");
	expect((await start("two")).told()).toBe(0);
	await opened.tenant();
	for (const engine of engines.splice(0)) await engine.stop();
	await opened.clock.advance(200_000);
	expect((await start("three")).told()).toBe(0);
});

it("keeps no row of servers that are gone", async () => {
	const { engine: gone } = await start("one");
	const { engine } = await start("one");
	await gone.stop();
	await opened.clock.advance(200_000);
	await engine.sweep();
	const rows = await opened.database.query({ text: "select count(*) as many from reelmill.servers_seen", values: [] });
	expect(rows).toEqual([{ many: 1 }]);
});

import { createFakeClock, createRecordingLogger } from "@reelmill/engine/testing";
import { expect, it } from "vitest";
import { createBriefCache } from "../../src/caches/index.ts";
import type { Statement } from "../../src/ports/index.ts";
import { createTokenFamily } from "../../src/secrets/token-family.ts";
import { createFirstPlays } from "../../src/serving/first-plays.ts";
import { createHotObjects } from "../../src/serving/hot-objects.ts";
import { systemRandom } from "../../src/system/random.ts";

const clock = createFakeClock();

it("a brief cache keeps at most its number of keys, and forgets the one used longest ago", async () => {
	const cache = createBriefCache<number>({ clock, max: 100, milliseconds: 1000 });
	let reads = 0;
	const ask = (key: string) => cache.get(key, async () => ++reads);
	for (let count = 0; count < 101; count++) await ask(`key ${count}`);
	for (let count = 1; count < 101; count++) await ask(`key ${count}`);
	expect(reads).toBe(101);
	await ask("key 0");
	expect(reads).toBe(102);
});

it("a brief cache with large answers keeps fewer of them, and none longer for its size", async () => {
	const cache = createBriefCache<number>({ clock, max: 100, milliseconds: 1000, roomOf: (size) => size });
	let reads = 0;
	const ask = async (key: string, size: number) =>
		cache.get(key, async () => {
			reads++;
			return size;
		});
	for (const key of ["a", "b", "c"]) await ask(key, 40);
	expect([cache.peek("a"), cache.peek("b"), cache.peek("c")]).toEqual([undefined, 40, 40]);
	await ask("larger than all", 101);
	expect(cache.peek("larger than all")).toBeUndefined();
	expect([reads, cache.peek("b"), cache.peek("c")]).toEqual([4, 40, 40]);
	await clock.advance(1001);
	expect(cache.peek("c")).toBeUndefined();
});

it("ranges of one byte take the room that they need, not one byte each", async () => {
	const hot = createHotObjects({ maxBytes: 100 * 1024 });
	const read = async () =>
		(async function* () {
			yield Buffer.alloc(1);
		})();
	for (let at = 0; at < 200; at++) for (let time = 0; time < 2; time++) await hot.get(`file ${at}-${at}`, 1, read);
	const kept = Array.from({ length: 200 }, (_, at) => hot.peek(`file ${at}-${at}`)).filter((one) => one !== undefined);
	expect(kept.length).toBeGreaterThan(90);
	expect(kept.length).toBeLessThan(100);
});

it("genuine tokens are remembered up to four million characters, not for ever", async () => {
	const family = createTokenFamily<{ sub: string }>("test", [new Uint8Array(32)], clock);
	const mint = async (sub: string) => (await family.sign({ sub }, 3600)).token;
	const first = await mint("first");
	const claims = await family.verify(first);
	// What is remembered is the same object.
	expect(await family.verify(first)).toBe(claims);
	const long = "x".repeat(2000);
	for (let characters = 0, count = 0; characters < 4 * 1024 * 1024; count++) {
		const token = await mint(`${long}${count}`);
		characters += token.length;
		await family.verify(token);
	}
	const again = await family.verify(first);
	expect(again).toEqual(claims);
	expect(again).not.toBe(claims);
});

it("first plays are remembered of ten thousand domains", () => {
	const asked: Statement[] = [];
	const database = {
		query: async (statement: Statement) => {
			asked.push(statement);
			return [];
		},
		migrate: async () => {},
	};
	const plays = createFirstPlays({ database, clock, random: systemRandom, logger: createRecordingLogger() });
	for (let count = 0; count <= 10_000; count++) {
		plays.note(`domain ${count}`, "web.mp4");
		plays.note(`domain ${count}`, "web.mp4");
	}
	expect(asked).toHaveLength(10_001);
	plays.note("domain 10000", "web.mp4");
	expect(asked).toHaveLength(10_001);
	plays.note("domain 0", "web.mp4");
	expect(asked).toHaveLength(10_002);
});

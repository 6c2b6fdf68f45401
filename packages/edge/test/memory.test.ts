import { expect, it } from "vitest";
import { createBriefMemory } from "../src/answers/memory.ts";

it("remembers the newest 2,000 things, for 2 s", () => {
	let now = 0;
	const memory = createBriefMemory<number>(() => now);
	for (let index = 0; index <= 2000; index++) memory.set(`${index}`, index);
	expect([memory.get("0"), memory.get("1"), memory.get("2000")]).toEqual([undefined, 1, 2000]);
	now = 2000;
	expect(memory.get("2000")).toBeUndefined();
});

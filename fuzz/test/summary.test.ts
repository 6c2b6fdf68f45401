import { expect, it } from "vitest";
import type { Result } from "../campaign.ts";
import { verdicts } from "../summary.ts";
import { createCounts } from "../watch/counts.ts";

const memory = { heapBytes: 50 * 2 ** 20, externalBytes: 10 * 2 ** 20, residentBytes: 250 * 2 ** 20 };
const sound: Result = {
	groups: [],
	counts: createCounts([]),
	health: { answers: Array.from({ length: 1000 }, () => 2), lateness: [], failures: 0 },
	before: memory,
	after: memory,
	residents: [],
	errors: [],
	ended: null,
	seconds: 60,
};

it("finds nothing wrong with a sound run", () => {
	expect(verdicts(sound)).toEqual([]);
	expect(verdicts({ ...sound, health: { answers: [60], lateness: [], failures: 0 } }, 2)).toEqual([]);
});

it.each<readonly [string, Partial<Result>]>([
	[
		"health is slow",
		{
			health: {
				answers: Array.from({ length: 1000 }, (_, index) => (index % 50 === 0 ? 60 : 2)),
				lateness: [],
				failures: 0,
			},
		},
	],
	["health fails", { health: { answers: [2], lateness: [], failures: 1 } }],
	["memory is not given back", { after: { ...memory, heapBytes: memory.heapBytes + 40 * 2 ** 20 } }],
	["resident memory grows", { after: { ...memory, residentBytes: memory.residentBytes + 200 * 2 ** 20 } }],
	["an error is logged", { errors: [{ message: "request failed", line: "{}" }] }],
	["the server ends", { ended: "SIGABRT" }],
])("sees that %s", (_, wrong) => {
	expect(verdicts({ ...sound, ...wrong })).toHaveLength(1);
});

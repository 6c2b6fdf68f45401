import { expect, it } from "vitest";
import { standsStill } from "../../src/run/watch-stall.ts";

it.each([
	["has used no time", [7, 7, 7, 7, 7], true],
	["only looks now and then whether it may go on", [7, 7.02, 7.05, 7.08, 7.1], true],
	["works, however little the machine lets it", [7, 7.02, 7.05, 7.08, 7.2], false],
	["ended a process whose time is lost with it", [7, 7, 7, 7, 3], false],
	["was not watched for two minutes", [7, 7, 7, 7], false],
])("a group stands still, or not, that %s", (_, readings, still) => {
	expect(standsStill(readings, 120)).toBe(still);
});

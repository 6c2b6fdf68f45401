import { expect, it } from "vitest";
import { parseOptions } from "../options.ts";

it("defaults to a thousand kills and a new seed", () => {
	expect(parseOptions([], () => 42)).toEqual({
		seed: 42,
		kills: 1000,
		minutes: 60,
		each: 1,
		only: undefined,
		patience: 1,
		keep: false,
	});
	expect(
		parseOptions(
			[
				"--seed",
				"7",
				"--kills=20",
				"--minutes",
				"1.5",
				"--patience",
				"3",
				"--each",
				"5",
				"--only",
				"lie, cut-power",
				"--keep",
			],
			() => 42,
		),
	).toEqual({
		seed: 7,
		kills: 20,
		minutes: 1.5,
		each: 5,
		only: ["lie", "cut-power"],
		patience: 3,
		keep: true,
	});
	expect(parseOptions(["--only", "lie"], () => 42)?.kills).toBe(0);
	expect(parseOptions(["--help"], () => 42)).toBeNull();
});

it("names the option that it can't read", () => {
	expect(() => parseOptions(["--kills", "many"], () => 42)).toThrow("--kills must be a number, not many.");
	expect(() => parseOptions(["--only", "lies"], () => 42)).toThrow("--only must name kinds of faults; lies is none.");
	expect(() => parseOptions(["--kill", "1"], () => 42)).toThrow(/--kill/);
});

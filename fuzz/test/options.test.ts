import { expect, it } from "vitest";
import { parseOptions } from "../options.ts";

it("defaults to a hundred thousand requests of a new seed", () => {
	expect(parseOptions([], () => 42)).toEqual({
		seed: 42,
		requests: 100_000,
		only: undefined,
		concurrency: 8,
		patience: 1,
		keep: false,
	});
	expect(
		parseOptions(["--seed", "7", "--requests=500", "--only", "3", "--concurrency", "2", "--keep"], () => 42),
	).toEqual({
		seed: 7,
		requests: 500,
		only: 3,
		concurrency: 2,
		patience: 1,
		keep: true,
	});
	expect(parseOptions(["--help"], () => 42)).toBeNull();
});

it("names the option that it can't read", () => {
	expect(() => parseOptions(["--requests", "many"], () => 42)).toThrow("--requests must be a number, not many.");
	expect(() => parseOptions(["--request", "1"], () => 42)).toThrow(/--request/);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../../scripts/setup/paths.mjs";
import { domainLimitDefaults, errors, failureReasons, limits, rateLimits } from "../src/index.ts";

/** The rows of a guide's tables that begin with a word in backticks, by that word: the cells after it. */
function rowsOf(guide: string): [string, string[]][] {
	const lines = readFileSync(join(root, "docs/guides", guide), "utf8").split("\n");
	return lines.flatMap((line) => {
		const [, first, ...cells] = line.split("|").map((cell) => cell.trim());
		const name = /^`([\w.]+)`$/.exec(first ?? "")?.[1];
		return name === undefined ? [] : [[name, cells] as [string, string[]]];
	});
}

it("the guide to errors has a row for each code, with its status and whether to retry, and for each reason", () => {
	const quotas = ["upload_quota_exceeded", "storage_quota_exceeded", "too_many_incomplete_uploads"];
	const again = (code: string, retryable: boolean) => (quotas.includes(code) ? "quota" : retryable ? "yes" : "no");
	const codes = Object.entries(errors).map(([code, { status, retryable }]) => [code, status, again(code, retryable)]);
	const rows = rowsOf("errors.md").map(([name, [status, retry]], at, { length }) =>
		at < length - failureReasons.length ? `${name},${status},${retry}` : name,
	);
	expect(rows.sort()).toEqual([...codes.map(String), ...failureReasons].sort());
});

/** Each number of an object, after the names that lead to it. */
const numbersOf = (of: object): string[] =>
	Object.entries(of).flatMap(([name, value]) =>
		typeof value === "number"
			? `${name}: ${value.toLocaleString("en")}`
			: numbersOf(value).map((under) => `${name}.${under}`),
	);

it("the guide to limits has a row for each number of the contract", () => {
	const counted = Object.entries(rateLimits).map(
		([name, { limit, windowSeconds }]) =>
			`${name}: ${limit.toLocaleString("en")} in ${windowSeconds.toLocaleString("en")}`,
	);
	const rows = rowsOf("limits.md").map(([name, [value]]) => `${name}: ${value}`);
	expect(rows.sort()).toEqual([...numbersOf(limits), ...numbersOf(domainLimitDefaults), ...counted].sort());
});

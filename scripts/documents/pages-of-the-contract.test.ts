import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { domainLimitDefaults, errors, failureReasons, limits, rateLimits } from "../../packages/contracts/src/index.ts";
import { root } from "../setup/paths.mjs";

/** The rows of a guide's tables that begin with a word in backticks, by that word: the cells after it. */
function rowsOf(guide: string): [string, string[]][] {
	const lines = readFileSync(join(root, "docs/guides", guide), "utf8").split("\n");
	return lines.flatMap((line) => {
		const [, first, ...cells] = line.split("|").map((cell) => cell.trim());
		const name = /^`([\w.]+)`$/.exec(first ?? "")?.[1];
		return name === undefined ? [] : [[name, cells] as [string, string[]]];
	});
}

const byName = <Value>([a]: [string, Value], [b]: [string, Value]): number => (a < b ? -1 : 1);

it("the guide to errors has a row for each code, with its status and whether to retry, and for each reason", () => {
	const quotas = ["upload_quota_exceeded", "storage_quota_exceeded", "too_many_incomplete_uploads"];
	const again = (code: string, retryable: boolean) => (quotas.includes(code) ? "quota" : retryable ? "yes" : "no");
	const rows = rowsOf("errors.md");
	expect(
		rows
			.slice(0, -failureReasons.length)
			.map(([code, [status, retry]]) => [code, `${status} ${retry}`] as [string, string])
			.sort(byName),
	).toEqual(
		Object.entries(errors)
			.map(([code, { status, retryable }]) => [code, `${status} ${again(code, retryable)}`] as [string, string])
			.sort(byName),
	);
	expect(
		rows
			.slice(-failureReasons.length)
			.map(([reason]) => reason)
			.sort(),
	).toEqual([...failureReasons].sort());
});

/** Each number of an object, by the names that lead to it. */
const numbersOf = (of: object): [string, string][] =>
	Object.entries(of).flatMap(([name, value]): [string, string][] =>
		typeof value === "number"
			? [[name, value.toLocaleString("en")]]
			: numbersOf(value).map(([under, number]) => [`${name}.${under}`, number]),
	);

it("the guide to limits has a row for each number of the contract", () => {
	const counted = Object.entries(rateLimits).map(([name, { limit, windowSeconds }]): [string, string] => [
		name,
		`${limit.toLocaleString("en")} in ${windowSeconds.toLocaleString("en")}`,
	]);
	expect(
		rowsOf("limits.md")
			.map(([name, [value = ""]]) => [name, value] as [string, string])
			.sort(byName),
	).toEqual([...numbersOf(limits), ...numbersOf(domainLimitDefaults), ...counted].sort(byName));
});

import { expect, it } from "vitest";
import { defaultIn, differences, type Option, optionTables } from "./option-tables.ts";

const options: Option[] = [
	{ name: "baseUrl", isOptional: false, default: undefined },
	{ name: "retries", isOptional: true, default: "12" },
	{ name: "signal", isOptional: true, default: undefined },
];
const readme = (...rows: string[]) =>
	["<!-- options of ClientOptions -->", "", "| Option | Meaning | Default |", "|---|---|---|", ...rows].join("\n");
const complaints = (...rows: string[]) => optionTables(readme(...rows)).flatMap((table) => differences(table, options));

it("accepts a table that has every option of its type with the default of its docstring", () => {
	const rows = ["| `baseUrl` | where | |", "| `retries` | how often | `12` |", "| `signal` | ends it | none |"];
	expect(complaints(...rows)).toEqual([]);
});

it("tells options that are missing or unknown, and defaults that differ", () => {
	expect(complaints("| `baseUrl` | where | none |", "| `retries` | how often | 3 |", "| `retry` | what | 1 |")).toEqual(
		[
			"3: the table leaves out signal of ClientOptions",
			'5: the default of baseUrl is "" by ClientOptions, not "none"',
			'6: the default of retries is "12" by ClientOptions, not "3"',
			"7: ClientOptions has no retry",
		],
	);
});

it("reads which type a table describes, and what it leaves out", () => {
	const text = readme().replace("ClientOptions", "ClientOptions without retries, signal");
	expect(optionTables(text)).toMatchObject([{ type: "ClientOptions", without: ["retries", "signal"] }]);
	expect(optionTables(text.replace("<!--", "<!-- the"))).toMatchObject([{ type: undefined }]);
});

it.each([
	["How often it tries (default: 12, about 90 s).", "12, about 90 s"],
	["The clock (default: `createClock()`).", "createClock()"],
	["The name.", undefined],
])("finds the default in %j", (docstring, expected) => {
	expect(defaultIn(docstring)).toBe(expected);
});

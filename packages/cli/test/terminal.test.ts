import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { scriptedServer } from "../../client/test/support/scripted-server.ts";
import { ago } from "../src/ago.ts";
import { cellOf, state } from "../src/cells.ts";
import { runCli } from "../src/index.ts";
import { printing } from "../src/printing.ts";
import { type Columns, cut, tableLines } from "../src/table.ts";

const video = (name: string, of: object = {}) => ({
	id: `0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a1${name.length % 10}`,
	state: "available",
	progress: 100,
	visibility: "private",
	file_size: 1_677_949,
	external_ref: name,
	failure_reason: null,
	created_at: new Date(Date.now() - 200_000).toISOString(),
	...of,
});
const videos = [
	video("講義 第一回 はじめに"),
	video("👩‍👩‍👧‍👦 day", { state: "failed", failure_reason: "invalid_media" }),
	video("intro"),
];

/** Runs a command on a terminal of this width, or into a pipe, and returns what it printed. */
async function run(
	body: object | readonly object[],
	args: readonly string[],
	{ columns, ...environment }: { columns?: number; NO_COLOR?: string; FORCE_COLOR?: string; TERM?: string } = {},
) {
	await using server = await scriptedServer(...[body].flat().map((one) => ({ status: 200, body: one })));
	const [stdout, stderr]: [string[], string[]] = [[], []];
	const to = (texts: string[]) => ({
		write: (text: string) => texts.push(text),
		...(columns === undefined ? {} : { isTTY: true, columns }),
	});
	const code = await runCli(args, {
		environment: { REELMILL_URL: server.baseUrl, REELMILL_API_KEY: "ek_x", REELMILL_ADMIN_KEY: "x", ...environment },
		stdout: to(stdout),
		stderr: to(stderr),
		signal: new AbortController().signal,
	});
	return { code, stdout: stdout.join(""), stderr: stderr.join(""), seen: server.seen.map(({ url }) => url) };
}
const page = (data: object[]) => ({ data, next_cursor: null });
const list = ["videos", "list"];

describe("a list", () => {
	it("is exact in a pipe: whole texts and times, plain states, no colours", async () => {
		const { stdout } = await run(page(videos), list);
		expect(stdout).toContain(videos[0]?.created_at);
		expect(stdout).toContain("failed (invalid_media)");
		expect(stdout).not.toMatch(/[●…\u001b]/);
	});

	it.each([120, 80, 74])("fits a terminal of %i columns, with whole ids, states and times", async (columns) => {
		const { stdout } = await run(page(videos), list, { columns });
		const lines = stripVTControlCharacters(stdout).trimEnd().split("\n");
		expect(lines.length).toBe(4);
		for (const [index, line] of lines.entries()) {
			expect([line, cellsOf(line) <= columns]).toEqual([line, true]);
			if (index === 0) continue;
			expect(line).toMatch(/^[0-9a-f-]{36} {2}● (?:available|failed \(invalid_media\)) /);
			expect(line).toMatch(/3 min ago$/);
		}
		// Every column begins in the same cell of each line, whatever letters stand before it.
		expect(new Set(lines.slice(1).map((line) => cellsOf(line.slice(0, line.indexOf("3 min ago"))))).size).toBe(1);
	});

	it("gives texts the room that a hidden column leaves, and cuts nothing that is to stay whole", () => {
		const id = "0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a11";
		const rows = [{ name: "an eighteen letter", id, more: "m".repeat(40) }];
		const columns = [
			["NAME", (row: (typeof rows)[0]) => row.name],
			["ID", (row: (typeof rows)[0]) => row.id],
			["MORE", (row: (typeof rows)[0]) => row.more, "if there is room"],
		] as const;
		const line = (all: typeof rows, width: number) =>
			tableLines(all, columns, { widths: [] }, { isTTY: true, columns: width }).at(-1)?.join("");
		expect(line(rows, 58)).toBe(`an eighteen letter  ${id}`);
		expect(line([...rows, { name: id, id: "x", more: "y" }], 60)).toContain(id);
	});

	it("says how many there are if it shows some of them, and asks for one more to know it", async () => {
		const counts = {
			data: [
				{ state: "available", count: 458, more: false },
				{ state: "failed", count: 2, more: false },
			],
		};
		const limited = [...list, "--limit", "2"];
		const onTerminal = await run([page(videos), counts], limited, { columns: 120 });
		expect(onTerminal.stderr).toBe("2 of 460; --all shows the rest.\n");
		expect(onTerminal.seen[0]).toContain("limit=3");
		expect((await run(page(videos), limited)).stderr).toBe("The first 2; --all shows the rest.\n");
		expect((await run(page(videos), [...limited, "--json"])).stderr).toBe("");
		const hundred = { data: Array.from({ length: 100 }, () => videos[0]), next_cursor: "more" };
		expect((await run(hundred, [...list, "--limit", "100", "--json"])).seen).toHaveLength(1);
		expect((await run(page(videos), [...list, "--limit", "3"])).stderr).toBe("");
	});
});

describe("colours", () => {
	const printed = ({ columns, ...environment }: NonNullable<Parameters<typeof run>[2]>, text = "available") => {
		const texts: string[] = [];
		const output = { write: (one: string) => texts.push(one), isTTY: columns !== undefined };
		printing({ environment, stdout: output, stderr: output, signal: new AbortController().signal }).stdout.line([
			{ text, colour: "green" },
		]);
		return texts.join("");
	};
	it.each([
		[{ columns: 120 }, true],
		[{ columns: 120, NO_COLOR: "1" }, false],
		[{ columns: 120, NO_COLOR: "" }, true],
		[{ columns: 120, TERM: "dumb" }, false],
		[{ FORCE_COLOR: "1" }, true],
		[{ columns: 120, FORCE_COLOR: "0" }, false],
		[{ columns: 120, FORCE_COLOR: "1", NO_COLOR: "1" }, true],
		[{}, false],
	])("follow %j", (environment, expected) => {
		expect(printed(environment)).toBe(expected ? "\u001b[32mavailable\u001b[39m\n" : "available\n");
	});

	it("let no text of others steer the terminal", () => {
		expect(printed({ columns: 120 }, "\u001b[31mred")).toBe("\u001b[32m\\u001b[31mred\u001b[39m\n");
	});
});

it("shows people beside a time how long ago it was, and beside bytes how much they are", async () => {
	const shown = { storage_bytes: 6_882_611, resets_at: new Date(Date.now() + 7_300_000).toISOString() };
	const { stdout } = await run(shown, ["usage"], { columns: 80, NO_COLOR: "1" });
	expect(stdout).toBe(`storage_bytes  6882611  6.6 MiB\nresets_at      ${shown.resets_at}  in 2 h\n`);
	expect((await run(shown, ["usage"])).stdout).toBe(`storage_bytes  6882611\nresets_at      ${shown.resets_at}\n`);
});

it.each([
	[10, "now"],
	[31, "1 min ago"],
	[3599, "59 min ago"],
	[7200, "2 h ago"],
	[86_400, "1 day ago"],
	[-7200, "in 2 h"],
	[-200_000, "in 2 days"],
])("says of a time %i s ago: %s", (seconds, text) => {
	const now = Date.parse("2026-01-31T12:00:00Z");
	expect(ago(new Date(now - seconds * 1000).toISOString(), now)).toBe(text);
});

it("cuts a text between letters, by the cells that they take", () => {
	expect(cut("講義第一回", 10)).toBe("講義第一回");
	expect(cut("講義第一回", 9)).toBe("講義第一…");
	expect(cut("a👩‍👩‍👧‍👦b", 3)).toBe("a…");
	expect(cut("abc", 3)).toBe("abc");
});

it("aligns later rows with earlier ones", () => {
	const columns: Columns<{ name: string; of: string }> = [
		["NAME", ({ name }) => name],
		["OF", ({ of }) => state(of)],
	];
	const layout = { widths: [] };
	const text = (rows: { name: string; of: string }[]) =>
		tableLines(rows, columns, layout, { isTTY: false }).map((line) =>
			line.map((one) => (typeof one === "string" ? one : one.text)).join(""),
		);
	expect(text([{ name: "longer", of: "x" }])).toEqual(["NAME    OF", "longer  x"]);
	expect(text([{ name: "a", of: "y" }])).toEqual(["a       y"]);
	expect(cellOf(null)).toMatchObject({ plain: "-", isWhole: true });
});

/** How many cells of a terminal a line takes: two for each CJK letter and each picture, as terminals draw them. */
const cellsOf = (line: string): number =>
	[...new Intl.Segmenter("en").segment(line)].reduce(
		(sum, { segment }) =>
			sum + (/\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{Emoji_Presentation}/u.test(segment) ? 2 : 1),
		0,
	);

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command, Option } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "../src/cli.ts";
import { printing } from "../src/printing.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const output = { write() {} };
const program = createProgram(
	printing({ environment: {}, stdout: output, stderr: output, signal: AbortSignal.abort() }),
);
const inner = (command: Command): readonly Command[] =>
	command
		.createHelp()
		.visibleCommands(command)
		.filter((one) => one.name() !== "help") as readonly Command[];
const named = (command: Command, name: string | undefined) => inner(command).find((one) => one.name() === name);
const optionOf = (command: Command, flag: string | undefined): Option | undefined =>
	[...command.options, ...program.options].find(({ long }) => long === flag);

/** Returns what is wrong with a command line, as a reader would be told; undefined if nothing is. */
function wrongIn(words: readonly string[]): string | undefined {
	let command = program;
	const given: string[] = [];
	for (const rest = [...words]; rest.length > 0; ) {
		const word = rest.shift() ?? "";
		const [flag, value] = word.split("=");
		if (word.startsWith("--")) {
			const option = optionOf(command, flag);
			if (option === undefined) return `${command.name()} has no ${flag}`;
			if (option.required && value === undefined && rest.shift() === undefined) return `${flag} has no value`;
		} else {
			const next = given.length === 0 ? named(command, word) : undefined;
			if (next === undefined) given.push(word);
			else command = next;
		}
	}
	if (inner(command).length > 0) return `${command.name()} has no ${given[0] ?? "command of its own"}`;
	const { registeredArguments: wanted } = command;
	if (given.length < wanted.filter(({ required }) => required).length) return `${command.name()} needs more`;
	if (given.length > wanted.length && !wanted.at(-1)?.variadic) return `${command.name()} takes no ${given.at(-1)}`;
	const strange = given.findIndex((word, at) => wanted[at]?.argChoices?.includes(word) === false);
	return strange < 0 ? undefined : `${command.name()} knows no ${given[strange]}`;
}

/** The words of each command line of a document, without the comment and what takes its output. */
function commandLines(text: string): string[][] {
	const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) => block);
	return blocks
		.flatMap((block) => block.split("\n"))
		.flatMap((line) => {
			const [, typed] = /(?:^|\()(?:npx )?reelmill ((?:"[^"]*"|'[^']*'|[^#|)])*)/.exec(line) ?? [];
			return typed === undefined ? [] : [typed.match(/(?:"[^"]*"|'[^']*'|<[^>]*>|\S)+/g) ?? []];
		});
}

describe("the command lines of the documents", () => {
	const files = globSync(["README.md", "docs/**/*.md", "packages/*/README.md"], { cwd: root });
	const lines = files.flatMap((file) =>
		commandLines(readFileSync(join(root, file), "utf8")).map((words) => ({ file, words })),
	);

	it("are such that the program takes them", () => {
		expect(lines.length).toBeGreaterThan(40);
		const wrong = lines.map(({ file, words }) => [`${file}: ${words.join(" ")}`, wrongIn(words)]);
		expect(wrong.filter(([, complaint]) => complaint !== undefined)).toEqual([]);
	});

	it.each([
		["uplod a.mp4", "reelmill has no uplod"],
		["videos", "videos has no command of its own"],
		["upload a.mp4 --loud", "upload has no --loud"],
		["upload a.mp4 b.mp4", "upload takes no b.mp4"],
		["webhooks trigger video.lost", "trigger knows no video.lost"],
		["import", "import needs more"],
	])("would be found wrong: %s", (line, complaint) => {
		expect(wrongIn(line.split(" "))).toBe(complaint);
	});
});

describe("the README's table of commands", () => {
	const readme = readFileSync(join(root, "packages/cli/README.md"), "utf8");
	const [, section = ""] = readme.split("## Commands\n");
	const codes = (text = "") => [...text.matchAll(/`([^`]*)`/g)].map(([, code = ""]) => code.replaceAll("\\|", "|"));
	const rows =
		section
			.split("\n## ")[0]
			?.split("\n")
			.filter((line) => line.startsWith("| `")) ?? [];
	const described = rows.flatMap((row) => {
		const [, first, second] = row.split(/(?<!\\)\|/);
		const commands = codes(first).map((code) => code.split(" ")[0]);
		return commands.map((name) => ({ name, commands, codes: [...codes(first), ...codes(second)] }));
	});

	it("has every command, and none that there is not", () => {
		const names = inner(program).map((one) => one.name());
		expect(described.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
	});

	it.each(inner(program).map((command) => [command.name(), command] as const))(
		"has every command within %s, and only options that there are",
		(name, command) => {
			const row = described.find((one) => one.name === name);
			const within = inner(command).map((one) => one.name());
			const said = row?.codes.map((code) => code.split(" ")[0]) ?? [];
			expect(within.filter((one) => !said.includes(one))).toEqual([]);
			const all = row?.commands.flatMap((one) => named(program, one) ?? []) ?? [];
			const options = [...all, ...all.flatMap(inner)].flatMap((one) => one.options.map(({ long }) => long));
			const flags = row?.codes.flatMap((code) => code.replace("--[no-]", "--no-").match(/--[a-z-]+/g) ?? []) ?? [];
			expect(flags.filter((flag) => !options.includes(flag) && !optionOf(program, flag))).toEqual([]);
		},
	);
});

import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commands as allCommands } from "./commands.mjs";
import { readCommands } from "./documents/commands.ts";
import { userDocuments } from "./documents/read-code.ts";
import { root } from "./setup/paths.mjs";

const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The guides by which somebody runs an installation. */
const operators = [
	...[
		"one-machine",
		"many-machines",
		"deploy",
		"proxy-and-tls",
		"behind-a-cdn",
		"sizing",
		"upgrade",
		"backup",
		"restore",
	],
	...["failover", "operations", "metrics", "check", "disk-full", "incidents", "placed-workers"],
].map((name) => `docs/guides/${name}.md`);

describe("the commands of an operator's guide", () => {
	const commands = readCommands().filter(({ file }) => operators.includes(file));

	it("are there", () => {
		for (const file of operators) expect(read(file)).toMatch(/^# /);
		expect(commands.length).toBeGreaterThan(40);
	});

	it("are run by a test or a script that reads the guide, or say why they are not", () => {
		const unclaimed = commands.filter(({ file, runBy, reason }) => {
			if (runBy === undefined) return !reason;
			const guide = basename(file, ".md");
			return reason !== undefined || !new RegExp(`"(?:.*/)?${guide}(?:\\.md)?"`).test(read(runBy));
		});
		expect(unclaimed.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
	});
});

describe("what the documents name", () => {
	const documents = [...userDocuments(), "CONTRIBUTING.md", "SECURITY.md", "SUPPORT.md"].map((file) => ({
		file,
		text: read(file),
	}));
	const named = (pattern: RegExp) =>
		documents.flatMap(({ file, text }) => Array.from(text.matchAll(pattern), ([, name = ""]) => ({ file, name })));

	it("is a script of npm", () => {
		const { scripts } = JSON.parse(read("package.json"));
		const examples = documents.filter(({ file }) => file.startsWith("examples/")).map(({ file }) => file);
		const found = named(/npm run ([\w:-]+)/g).filter(({ file }) => !examples.includes(file));
		expect(found.length).toBeGreaterThan(30);
		expect(found.filter(({ name }) => !(name in scripts))).toEqual([]);
	});

	it("is a command of scripts/run.mjs", () => {
		const found = named(/node scripts\/run\.mjs ([a-z][\w:-]*)/g);
		expect(found.length).toBeGreaterThan(10);
		expect(found.filter(({ name }) => !allCommands.has(name))).toEqual([]);
	});

	it("is a benchmark", () => {
		const benchmarks = read("bench/run.ts");
		const found = named(/npm run bench -- ([a-z][\w-]*)/g);
		expect(found.length).toBeGreaterThan(10);
		expect(found.filter(({ name }) => !new RegExp(`^\\t"?${name}"?[:,]`, "m").test(benchmarks))).toEqual([]);
	});

	it("is a setting of a program", () => {
		const isForeign = (path: string) => path.endsWith("node_modules") || path.endsWith("dist");
		const sources = ["{apps,packages}/*/{src,test}", "{bench,examples,faults,fuzz,scripts}"].flatMap((folder) =>
			globSync(`${folder}/**/*.{ts,tsx,mjs,js,json}`, { cwd: root, exclude: isForeign }),
		);
		const programs = [...sources, "compose.yaml", "deploy/compose/secrets.sh"].map(read).join("\n");
		const tables = ["apps/server/src/config", "apps/transcoder/src/config", "packages/settings/src/shared-settings"]
			.map((file) => read(`${file}.ts`))
			.join("\n");
		const isKnown = (name: string) =>
			programs.includes(`REELMILL_${name}`) || new RegExp(`^\\t${name}: \\{`, "m").test(tables);
		const found = named(/\bREELMILL_([A-Z_]+)/g).filter(
			({ file, name }) => !file.startsWith("docs/decisions/") && !name.endsWith("_"),
		);
		expect(found.length).toBeGreaterThan(100);
		expect(found.filter(({ name }) => !isKnown(name))).toEqual([]);
	});
});

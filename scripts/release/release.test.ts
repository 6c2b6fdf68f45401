import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../setup/paths.mjs";
import { type Change, sectionOf } from "./changelog.ts";
import { chartFile } from "./chart.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const change = (summary: string, ...names: string[]): Change => ({
	summary,
	releases: names.map((name) => ({ name, type: "minor" })),
});

it("the section of a version has a part for each theme: what users have to do first, the rest last", () => {
	const section = sectionOf("0.2.0", [
		change("Plain words\nof one change.", "a", "b", "c"),
		change("### Uploads\n\n- They resume.", "a"),
		change("### Storage\n\n- In buckets.", "a", "b"),
		change("### Uploads\n\n- They end.", "a"),
		change("### Upgrade\n\n- Rename the setting.", "a"),
		change(""),
	]);
	const parts = [
		["## 0.2.0", "### Upgrade", "- Rename the setting.", "### Storage", "- In buckets."],
		["### Uploads", "- They resume.\n- They end.", "### Other changes", "- Plain words\n  of one change.\n"],
	];
	expect(section).toBe(parts.flat().join("\n\n"));
});

it("the chart has the version of the packages", () => {
	const { version } = JSON.parse(read("packages/contracts/package.json"));
	expect(parse(read(chartFile))).toMatchObject({ version, appVersion: version });
});

type Step = { readonly uses?: string; readonly run?: string };
type Job = { readonly needs?: string | readonly string[]; readonly uses?: string; readonly steps?: readonly Step[] };
const jobsOf = (file: string): Readonly<Record<string, Job>> => parse(read(`.github/workflows/${file}`)).jobs;

it("what is published has passed the tests, by a job that runs npm alone", () => {
	const { test, publish } = jobsOf("release.yml");
	expect(test?.uses).toBe("./.github/workflows/test.yml");
	expect(publish?.needs).toEqual(expect.arrayContaining(["test", "pack"]));
	const steps = publish?.steps ?? [];
	const actions = steps.flatMap(({ uses = [] }) => uses).map((uses) => uses.replace(/@.*/, ""));
	expect(actions).toEqual(["actions/setup-node", "actions/download-artifact"]);
	const commands = steps.flatMap(({ run = "" }) => [...run.matchAll(/\b(?:npm [a-z]+|npx|pnpm|node)\b/g)].map(String));
	expect(commands).toEqual(["npm view", "npm publish"]);
});

it("every action is named by its digest", () => {
	const jobs = readdirSync(join(root, ".github/workflows")).flatMap((file) => Object.values(jobsOf(file)));
	const uses = jobs.flatMap(({ steps = [] }) => steps.flatMap((step) => step.uses ?? []));
	expect(uses.length).toBeGreaterThan(10);
	expect(uses.filter((each) => !/^actions\/[a-z-]+@[0-9a-f]{40}$/.test(each))).toEqual([]);
});

it("the release workflow runs only commands that there are", () => {
	const { scripts }: { scripts: object } = JSON.parse(read("package.json"));
	const named = [...read(".github/workflows/release.yml").matchAll(/npm run ([\w:-]+)/g)];
	expect(named.length).toBeGreaterThan(1);
	expect(named.filter(([, name]) => !(String(name) in scripts))).toEqual([]);
});

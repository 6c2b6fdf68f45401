import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../setup/paths.mjs";
import { addToChangelog, type Change, sectionOf } from "./changelog.ts";
import { chartFile, setChartVersion } from "./chart.ts";
import { proveThemes } from "./prove-changesets.ts";
import { listWorkspaces } from "./workspaces.ts";

const change = (summary: string, ...names: string[]): Change => ({
	summary,
	releases: names.map((name) => ({ name, type: "minor" })),
});

describe("the section of a version", () => {
	it("has a part for each theme, what users have to do first, then those of most packages, and the rest last", () => {
		const section = sectionOf("0.2.0", [
			change("Plain words\nof one change.", "a", "b", "c"),
			change("### Uploads\n\n- They resume.", "a"),
			change("### Storage\n\n- In buckets.", "a", "b"),
			change("### Uploads\n\n- They end.", "a"),
			change("### Upgrade\n\n- Rename the setting.", "a"),
		]);
		expect(section).toBe(
			[
				"## 0.2.0",
				"### Upgrade",
				"- Rename the setting.",
				"### Storage",
				"- In buckets.",
				"### Uploads",
				"- They resume.\n- They end.",
				"### Other changes",
				"- Plain words\n  of one change.\n",
			].join("\n\n"),
		);
	});

	it("says nothing of a changeset without a text", () => {
		expect(sectionOf("0.2.0", [change(""), change("### Uploads\n\n- They resume.", "a")])).toBe(
			"## 0.2.0\n\n### Uploads\n\n- They resume.\n",
		);
	});

	it("wants a theme of each change that says something, and names those without", () => {
		expect(() => proveThemes([change(""), change("### Uploads\n\n- They resume.")])).not.toThrow();
		expect(() => proveThemes([change("###\n\n- They resume."), change("Plain words.")])).toThrow(
			"- They resume.\n\nPlain words.",
		);
	});

	it("stands above those of the versions before it", () => {
		const folder = mkdtempSync(join(tmpdir(), "reelmill-changelog-"));
		try {
			const file = join(folder, "CHANGELOG.md");
			writeFileSync(file, "# Changelog\n\nWords.\n");
			addToChangelog(folder, sectionOf("0.2.0", [change("First.", "a")]));
			addToChangelog(folder, sectionOf("0.3.0", [change("Second.", "a")]));
			const text = readFileSync(file, "utf8");
			expect(text).toBe(
				"# Changelog\n\nWords.\n\n## 0.3.0\n\n### Other changes\n\n- Second.\n\n## 0.2.0\n\n### Other changes\n\n- First.\n",
			);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});
});

it("the chart has the version of the packages, and gets their next one", () => {
	const versionsIn = (folder: string) => {
		const { version, appVersion } = parse(readFileSync(join(folder, chartFile), "utf8"));
		return [version, appVersion];
	};
	const [version = ""] = listWorkspaces(root).flatMap(({ manifest }) =>
		manifest.private === true ? [] : manifest.version,
	);
	expect(versionsIn(root)).toEqual([version, version]);
	const folder = mkdtempSync(join(tmpdir(), "reelmill-chart-"));
	try {
		cpSync(join(root, chartFile), join(folder, chartFile), { recursive: true });
		setChartVersion(folder, "7.8.9");
		expect(versionsIn(folder)).toEqual(["7.8.9", "7.8.9"]);
	} finally {
		rmSync(folder, { recursive: true });
	}
});

describe("the release workflow", () => {
	type Step = { readonly run?: string; readonly env?: Readonly<Record<string, string>> };
	type Job = {
		readonly environment?: string;
		readonly permissions: Readonly<Record<string, string>>;
		readonly steps: readonly Step[];
	};
	const { jobs }: { jobs: Record<string, Job> } = parse(
		readFileSync(join(root, ".github/workflows/release.yml"), "utf8"),
	);

	const publishes = ({ run }: Step) => run?.includes("changeset publish") ?? false;

	it("publishes with provenance, and what may sign stands in an environment with reviewers", () => {
		const publishing = Object.values(jobs).filter(({ steps }) => steps.some(publishes));
		const signing = Object.values(jobs).filter(({ permissions }) => permissions["id-token"] === "write");
		expect(publishing).toHaveLength(1);
		expect(signing.every(({ environment }) => environment !== undefined)).toBe(true);
		expect(publishing[0]).toMatchObject({ environment: "npm", permissions: { "id-token": "write" } });
		const step = publishing[0]?.steps.find(publishes);
		expect(step?.env).toMatchObject({ NPM_CONFIG_PROVENANCE: "true", PNPM_CONFIG_PROVENANCE: "true" });
	});

	it("runs only commands that there are", () => {
		const { scripts }: { scripts: object } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
		const named = [...JSON.stringify(jobs).matchAll(/npm run ([\w:-]+)/g)];
		expect(named.length).toBeGreaterThan(1);
		expect(named.filter(([, name]) => !(String(name) in scripts))).toEqual([]);
	});
});

it("lists no workspace that the workspace leaves out", () => {
	const folders = listWorkspaces(root).map(({ folder }) => folder);
	expect(folders).toContain("examples/vue");
	expect(folders).not.toContain("examples/nextjs");
});

it("every published package is built before it is packed", () => {
	const published = listWorkspaces(root).filter(({ manifest }) => manifest.private !== true);
	expect(published.length).toBeGreaterThan(15);
	const unbuilt = published.filter(
		({ manifest }) => manifest.scripts?.prepack !== "node ../../scripts/packages/prepack.mjs",
	);
	expect(unbuilt.map(({ folder }) => folder)).toEqual([]);
});

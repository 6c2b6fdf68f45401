import { existsSync } from "node:fs";
import { buildConsolePage } from "./console/page.mjs";
import {
	bubblewrap,
	chromium,
	diskFaults,
	ffmpeg,
	ffprobe,
	imageBuilders,
	reverseProxy,
	s3Server,
} from "./setup/programs.mjs";
import { allHelp, fastHelp, programsOfTests, testHelp } from "./test/command.mjs";
import { programsFor } from "./test/needed-programs.mjs";

/**
 * @typedef {{ summary: string, programs?: (environment: NodeJS.ProcessEnv, rest: string[]) =>
 * import("./setup/programs.mjs").Program[], script?: string, first?: string[], done?: string, help?: string,
 * before?: (environment: NodeJS.ProcessEnv, node: string) => Promise<void>, }} Command `script` gets the arguments
 * `first`, and those that follow the command's name; `before` runs ahead of it. `help` answers `--help` in place of the script.
 */

const sandbox = process.platform === "linux" ? [bubblewrap] : [];
const encoding = [ffmpeg, ffprobe, ...sandbox];

/** The file of a benchmark, such as bench/media/job.ts; of all without a name, or where a file has several. */
const benchmarkFile = (name = "") =>
	[`bench/${name}.ts`, `bench/${name.replace("-", "/")}.ts`].find((file) => existsSync(file)) ?? "bench/run.ts";

/** @type {Record<string, Command>} */
const table = {
	start: {
		summary: "start the reference server with its embedded database and worker",
		programs: (environment) => (environment.REELMILL_EMBEDDED_WORKERS === "0" ? [] : encoding),
		before: async (environment, node) => {
			if (environment.REELMILL_CONSOLE !== "off") await buildConsolePage({ node, say: console.error });
		},
		script: "apps/server/src/main.ts",
	},
	demo: {
		summary: "send a real clip through: upload, encode, play, webhook",
		programs: () => encoding,
		script: "examples/demo/src/main.ts",
	},
	"ten-minutes": {
		summary: "follow the guide to private playback from an empty folder, for each framework, and say how long it took",
		programs: () => [...encoding, chromium],
		script: "scripts/ten-minutes/run.ts",
	},
	nextjs: {
		summary: "build and run the example in Next.js (340 MB)",
		programs: () => encoding,
		script: "examples/nextjs/test/run.ts",
	},
	test: {
		summary: "prove what every change must keep, as CI does; with filters, run the tests that match",
		programs: programsOfTests,
		script: "scripts/test/main.ts",
		first: ["daily"],
		help: testHelp,
	},
	"test:fast": {
		summary: "run the tests that need no program but Node and PostgreSQL, and cost little",
		script: "scripts/test/main.ts",
		first: ["fast"],
		help: fastHelp,
	},
	"test:all": {
		summary: "prove everything, part by part, as each night does; goes on where it was broken off",
		script: "scripts/test/main.ts",
		first: ["all"],
		help: allHelp,
	},
	"measure-tests": {
		summary: "run the tests of npm test, and write what each file costs into scripts/test/costs.json",
		programs: (environment) => programsOfTests(environment, []),
		script: "scripts/test/main.ts",
		first: ["measure"],
	},
	runtimes: {
		summary:
			"run the packed packages on Node, Bun, Deno, Workers, Vercel Edge and Jest, and an edge on Workers (770 MB)",
		script: "scripts/runtimes/prove.ts",
	},
	"from-npm": {
		summary: "start the packed server by npx on Node 22 from an empty cache, and say how long that took",
		programs: () => encoding,
		script: "scripts/packed/from-npm.ts",
	},
	image: {
		summary:
			"build the image, start server and transcoder in it, and send a clip through; with --twice, build it again",
		programs: () => [...encoding, ...imageBuilders],
		script: "scripts/image/main.ts",
	},
	check: { summary: "the static checks and the packed packages", script: "scripts/checks/main.ts" },
	build: { summary: "build every package into its dist/", script: "scripts/build.ts" },
	docs: {
		summary:
			"make the site of the documents, in dist/site (VitePress: 250 MB, the first time); with --prove, go through it in Chromium",
		programs: (_, rest) => (rest.includes("--prove") ? [chromium] : []),
		script: "docs/.vitepress/build/make.ts",
	},
	"next-version": {
		summary: "give all packages the version that the changesets ask for, and write the changelog",
		script: "scripts/release/version.ts",
	},
	bench: {
		summary: "measure, by one benchmark or all, with a number of rounds",
		programs: (environment, [name]) => programsFor([benchmarkFile(name)], environment),
		script: "bench/run.ts",
	},
	faults: {
		summary: "break everything at random, and check that nothing is lost",
		programs: () => [...encoding, ...s3Server, ...diskFaults],
		script: "faults/run.ts",
	},
	fuzz: {
		summary: "send a hundred thousand generated requests, and hold each answer against the contract",
		script: "fuzz/run.ts",
	},
	upgrade: {
		summary: "let the release before stand in for this one's servers, on one database under load",
		programs: () => [...encoding, ...s3Server, ...diskFaults],
		script: "scripts/upgrade/run.ts",
	},
	chart: {
		summary: "render the Helm chart and hold it against the schemas of Kubernetes; it needs Go",
		script: "scripts/chart/prove.ts",
	},
	traefik: {
		summary: "build Traefik, and hold the guide's files for it to what they promise; it needs Go",
		programs: () => reverseProxy.filter(({ name }) => name === "openssl"),
		script: "scripts/traefik/prove.ts",
	},
	setup: {
		summary: "install what start and demo need, and nothing more",
		programs: () => encoding,
		done: "Everything is set up. Next: npm start",
	},
};

export const commands = new Map(Object.entries(table));

export function help() {
	const rows = Object.entries(table).map(([name, { summary }]) => `  ${name.padEnd(14)}${summary}`);
	return `Usage: node scripts/run.mjs <command> [arguments]   (or npm start, npm test, npm run <command> [-- arguments])\n\n${rows.join("\n")}\n\nEach command installs what it needs first.\n`;
}

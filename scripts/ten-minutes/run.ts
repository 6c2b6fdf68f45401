import { deepStrictEqual } from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { launchChromium } from "../../packages/browser/test/support/chromium.ts";
import { type Machine, openMachine } from "../packed/machine.ts";
import { answers } from "../programs/program.ts";
import { root } from "../setup/paths.mjs";
import { run } from "../setup/spawn.mjs";
import { type Framework, frameworks, stepsFor } from "./read-guide.ts";
import { openTerminals } from "./terminal.ts";
import { tryPage } from "./try-page.ts";

const read = (name: string) => readFileSync(join(root, `docs/guides/${name}.md`), "utf8");
// The guide to frameworks has another back end and page, in place of those of the first guide.
const guide = read("ten-minutes").replace("## 4. ", () => `${read("frameworks")}\n## 4. `);
const page = "http://localhost:3000";
const service = "http://127.0.0.1:8787";

/**
 * Does what the guide says, and nothing else, on a machine that has Node 22, ffmpeg and nothing else, with npm's cache
 * empty. The packages are this repository's. Prints how long each part took.
 */
async function follow(framework: Framework, machine: Machine): Promise<void> {
	const environment = { ...machine.environment, NEXT_TELEMETRY_DISABLED: "1" };
	const terminals = openTerminals(machine.folder(framework), environment);
	const browser = await launchChromium();
	const began = performance.now();
	let before = began;
	const took = (what: string) => {
		const now = performance.now();
		console.log(`  ${((now - before) / 1000).toFixed(1).padStart(6)} s  ${what}`);
		before = now;
	};
	try {
		console.log(`\n${framework}`);
		for (const { heading, steps } of stepsFor(framework, guide)) {
			let printed = "";
			for (const step of steps) {
				if (step.kind === "commands") printed += await terminals.run(step.text);
				else if (step.kind === "file") save(join(terminals.folder(), step.name), step.text);
				else if (step.text.includes("reelmill dev"))
					await terminals.start(step.text, (said) => said.includes("runs on this machine until Ctrl-C"));
				else await terminals.start(step.text, () => answers(page));
			}
			took(heading);
			if (existsSync(join(terminals.folder(), "clip.mp4")) && heading.startsWith("4"))
				await tryPage(browser, page, join(terminals.folder(), "clip.mp4"), took);
			if (heading.startsWith("5")) deepStrictEqual(printed, "without a key: 401\nwith a key: 200\n");
		}
		console.log(`  ${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  in all`);
	} catch (error) {
		console.error(terminals.said());
		throw error;
	} finally {
		await browser.close();
		await terminals.close();
	}
	const build = builds[framework];
	if (build === undefined) return;
	const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes"];
	await run("npx", ["tsc", ...strict], terminals.folder(), environment);
	rmSync(join(terminals.folder(), ".env"));
	await run("npx", build, terminals.folder(), environment);
	console.log(`           its files compile under --strict, and ${build.join(" ")} needs no setting`);
}

/** What builds the files of a guide for production, as an image does: without a setting. */
const builds: { readonly [F in Framework]?: string[] } = { "Next.js": ["next", "build"], SvelteKit: ["vite", "build"] };

function save(path: string, text: string): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}

const asked = process.argv.slice(2).map((name) => name.toLowerCase());
const chosen = frameworks.filter((name) => asked.length === 0 || asked.includes(name.toLowerCase()));
if (chosen.length < asked.length) throw new Error(`Choose among ${frameworks.join(", ")}.`);
for (const address of [page, service])
	if (await answers(address)) throw new Error(`Something else answers at ${address}, which the guide needs.`);
console.log("Packing the packages.");
const machine = await openMachine();
try {
	for (const framework of chosen) await follow(framework, machine);
} finally {
	machine.close();
}

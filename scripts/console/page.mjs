import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprintOf } from "../setup/fingerprint.mjs";
import { root } from "../setup/paths.mjs";
import { SetupError } from "../setup/setup-error.mjs";
import { capture } from "../setup/spawn.mjs";

const folder = join(root, "packages/console");
/** What both pages are made of. */
const shared = ["scripts/console/page.mjs", "packages/console/package.json", "pnpm-lock.yaml"];

/** The console's page, and that of the API reference. */
const consolePage = {
	name: "console's page",
	output: "dist/page",
	configuration: "vite.config.ts",
	sources: [
		...shared,
		"packages/console/src",
		"packages/console/index.html",
		"packages/console/vite.config.ts",
		"packages/react/src",
		"packages/elements/src",
		"packages/browser/src",
		"packages/client/src",
		"packages/contracts/src",
	],
};
const reference = {
	name: "API reference",
	output: "dist/page-reference",
	configuration: "vite.reference.config.ts",
	sources: [
		...shared,
		"packages/console/reference",
		"packages/console/vite.reference.config.ts",
		"packages/console/src/icon.svg",
		"packages/console/src/styles/tokens.css",
	],
};
const pages = [consolePage, reference];
export const sourcesOfPages = pages.flatMap(({ sources }) => sources);

/**
 * Builds the console's page into `packages/console/dist/page`, and the API reference into `dist/page-reference` beside
 * it, each unless its sources are those of the build that is there.
 * @param {{ node?: string, say?: (text: string) => void }} [options] the Node that runs Vite (default: this one), and
 * what is told that it takes a moment
 * @throws {SetupError} with Vite's words if it does not build
 */
export async function buildConsolePage(options = {}) {
	await Promise.all(pages.map((page) => buildPage(page, options)));
}

/**
 * Builds the API reference alone, as {@link buildConsolePage} does.
 * @param {{ node?: string, say?: (text: string) => void }} [options]
 */
export const buildReference = (options) => buildPage(reference, options);

/**
 * @param {typeof consolePage} page
 * @param {{ node?: string, say?: (text: string) => void }} [options]
 */
async function buildPage(
	{ name, output, configuration, sources },
	{ node = process.execPath, say = () => undefined } = {},
) {
	const stamp = join(folder, `${output}.stamp`);
	const wanted = fingerprintOf(sources);
	if (existsSync(join(folder, output, "index.html")) && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted)
		return;
	say(`Building the ${name}...`);
	const vite = join(folder, "node_modules/vite/bin/vite.js");
	const { code, output: said } = await capture(node, [vite, "build", "--config", configuration, "--logLevel=warn"], {
		directory: folder,
		// A test run has NODE_ENV=test, by which Vite would take the libraries' development builds.
		environment: { ...process.env, NODE_ENV: "production" },
	});
	if (code !== 0) throw new SetupError(`The ${name} does not build:\n${said.trim()}`);
	writeFileSync(stamp, wanted);
}

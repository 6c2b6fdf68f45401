import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprintOf } from "../setup/fingerprint.mjs";
import { root } from "../setup/paths.mjs";
import { SetupError } from "../setup/setup-error.mjs";
import { capture } from "../setup/spawn.mjs";

const folder = join(root, "packages/console");
const stamp = join(folder, "dist/page.stamp");
/** All that the built page is made of. */
const sources = [
	"scripts/console/page.mjs",
	"packages/console/src",
	"packages/console/build",
	"packages/console/index.html",
	"packages/console/vite.config.ts",
	"packages/console/package.json",
	"packages/browser/src",
	"packages/client/src",
	"packages/contracts/src",
	"pnpm-lock.yaml",
];

/**
 * Builds the console's page into `packages/console/dist/page`, unless its sources are those of the build that is there.
 * @param {{ node?: string, say?: (text: string) => void }} [options] the Node that runs Vite (default: this one), and
 * what is told that it takes a moment
 * @throws {SetupError} with Vite's words if it does not build
 */
export async function buildConsolePage({ node = process.execPath, say = () => undefined } = {}) {
	const wanted = fingerprintOf(sources);
	if (existsSync(join(folder, "dist/page/index.html")) && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted)
		return;
	say("Building the console's page...");
	const vite = join(folder, "node_modules/vite/bin/vite.js");
	const { code, output } = await capture(node, [vite, "build", "--logLevel=warn"], {
		directory: folder,
		// A test run has NODE_ENV=test, by which Vite would take React's development build.
		environment: { ...process.env, NODE_ENV: "production" },
	});
	if (code !== 0) throw new SetupError(`The console's page does not build:\n${output.trim()}`);
	writeFileSync(stamp, wanted);
}

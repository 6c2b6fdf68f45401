import { existsSync } from "node:fs";
import { join } from "node:path";
import { fingerprintOf } from "./fingerprint.mjs";
import { root } from "./paths.mjs";
import { SetupError } from "./setup-error.mjs";
import { capture } from "./spawn.mjs";
import { addToStamp, clearStamp, readStamp } from "./stamp.mjs";

/**
 * The pnpm that installs and packs. It comes through npx: corepack and the packageManager field fail against some
 * registries.
 */
export const pnpm = "pnpm@12.21.0";
const bundledNode = join(root, "node_modules/.bin/node");
const oldestNode = [24, 4];
/** How the lines begin that pnpm and npm print at every install. */
const idleWarnings = ["npm warn", "[WARN] Unsupported engine", "[WARN] There are cyclic"];

/**
 * Installs what pnpm-lock.yaml names, unless that is done already; needs no network then.
 * @returns {Promise<string>} the Node that runs everything else: the one among the dependencies, or this one where none
 * fits the machine
 * @throws {SetupError} where the install fails or there is no Node that is new enough
 */
export async function prepareDependencies() {
	const wanted = `${root} ${process.platform} ${process.arch} ${fingerprintOf(["pnpm-lock.yaml", "pnpm-workspace.yaml"])}`;
	const stamp = readStamp();
	if (stamp.dependencies === wanted && stamp.node && existsSync(stamp.node)) return stamp.node;
	clearStamp();
	await install();
	const node = await chooseNode();
	addToStamp({ dependencies: wanted, node });
	return node;
}

async function install() {
	say("Installing the dependencies with pnpm (a minute or two the first time)...");
	const started = Date.now();
	let shown = started;
	const args = [
		"--yes",
		pnpm,
		"--dir",
		root,
		"install",
		"--frozen-lockfile",
		"--reporter=append-only",
		"--config.confirmModulesPurge=false",
	];
	const { code, output } = await capture("npx", args, {
		onLine(line) {
			if (!line.startsWith("Progress:") || Date.now() - shown < 5000) return;
			shown = Date.now();
			say(`  ${line.replace("Progress: ", "")}`);
		},
	});
	const words = output
		.split("\n")
		.filter((line) => !idleWarnings.some((warning) => line.startsWith(warning)))
		.join("\n")
		.trim();
	if (code !== 0)
		throw new SetupError(
			`${words}\n\nThe dependencies could not be installed (exit code ${code}): see pnpm's words above, and try again.`,
		);
	say(`The dependencies are installed (${Math.round((Date.now() - started) / 1000)} s).`);
}

async function chooseNode() {
	if (existsSync(bundledNode) && (await capture(bundledNode, ["--version"])).code === 0) return bundledNode;
	const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
	const [wantedMajor = 0, wantedMinor = 0] = oldestNode;
	if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return process.execPath;
	throw new SetupError(
		`No Node among the dependencies fits ${process.platform} ${process.arch}, and this one is ${process.versions.node}: install Node ${oldestNode.join(".")} or newer.`,
	);
}

/** @param {string} line */
function say(line) {
	process.stderr.write(`${line}\n`);
}

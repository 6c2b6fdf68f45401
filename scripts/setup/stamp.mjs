import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./paths.mjs";

const file = join(root, "node_modules/.reelmill/setup.json");

/**
 * What an earlier run found to be in order, so that this one needn't look again. It goes away with node_modules.
 * @returns {Record<string, string>}
 */
export function readStamp() {
	try {
		return JSON.parse(readFileSync(file, "utf8"));
	} catch {
		return {};
	}
}

/** @param {Record<string, string>} facts added to those that stand there */
export function addToStamp(facts) {
	const stamp = { ...readStamp(), ...facts };
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `${JSON.stringify(stamp, null, "\t")}\n`);
}

export function clearStamp() {
	rmSync(file, { force: true });
}

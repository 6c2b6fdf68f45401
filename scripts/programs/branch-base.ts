import { root } from "../setup/paths.mjs";
import { capture } from "../setup/spawn.mjs";

/** The branch that this one is to be merged into, by the first of its names that a clone has. */
export const bases = ["main", "origin/main"];

/** Returns the branch that this one is to be merged into; undefined if this clone doesn't know it. */
export async function findBase(): Promise<string | undefined> {
	for (const name of bases)
		if ((await capture("git", ["rev-parse", "--verify", "--quiet", name], { directory: root })).code === 0) return name;
	return undefined;
}

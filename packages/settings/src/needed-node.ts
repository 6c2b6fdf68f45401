/** The oldest Node that runs the programs, as `engines` of each package says. */
const oldest = [22, 18] as const;

/**
 * Tells whether this Node is new enough. If it isn't, the process says which one is, and will end with 1. This file
 * imports nothing, so that an older Node can load it.
 * @example
 * ```ts
 * import { neededNode } from "@reelmill/settings/needed-node";
 *
 * console.log(neededNode(process)); // => true
 * ```
 */
export function neededNode(process: Pick<NodeJS.Process, "versions" | "stderr" | "exitCode">): boolean {
	const { node } = process.versions;
	const [major = 0, minor = 0] = node.split(".").map(Number);
	if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return true;
	process.stderr.write(
		`Reelmill needs Node ${oldest.join(".")} or newer; this is Node ${node}. Install a newer one (https://nodejs.org), or use the image, which brings its own.\n`,
	);
	process.exitCode = 1;
	return false;
}

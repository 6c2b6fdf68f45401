import { delimiter, dirname } from "node:path";
import { installNodes, nodeIn } from "./nodes.ts";

/**
 * Installs Node 22 into an empty folder, and returns the environment of a machine that has it in place of this
 * repository's: without what `npm run` adds, and without this repository's programs.
 */
export async function environmentOfNode22(folder: string): Promise<NodeJS.ProcessEnv> {
	await installNodes(folder, "22");
	const path = (process.env.PATH ?? "").split(delimiter).filter((each) => !each.includes("node_modules"));
	return {
		...withoutProject(process.env),
		PATH: [dirname(nodeIn(folder, "22")), ...path].join(delimiter),
	};
}

/** The environment without what `npm run` adds, which names this repository. */
const withoutProject = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
	Object.fromEntries(
		Object.entries(environment).filter(
			([name]) => !/^(?:npm_(?:package|lifecycle|command|execpath|node)|REELMILL_)/.test(name),
		),
	);

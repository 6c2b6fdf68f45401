import { parseArgs } from "node:util";
import { provePackedPackages } from "../packed/prove.ts";
import { prove } from "../programs/steps.ts";
import { nightlyChecks, staticChecks } from "./static-checks.ts";

// With `--all`, also what is proved each night, and the packed packages on each Node that they promise to run on. The
// folder of `--tarballs` gets the tarballs once they are proved.
const options = { all: { type: "boolean", default: false }, tarballs: { type: "string" } } as const;
const { all, tarballs } = parseArgs({ options }).values;
await prove([
	...staticChecks,
	...(all ? nightlyChecks : []),
	{
		name: "packed packages, and the documents' code",
		run: () => provePackedPackages({ onAllNodes: all, keepIn: tarballs }),
	},
]);

import { parseArgs } from "node:util";
import { provePackedPackages } from "../packed/prove.ts";
import { prove } from "../programs/steps.ts";
import { nightlyChecks, staticChecks } from "./static-checks.ts";

const { values: options } = parseArgs({
	options: {
		// Also what is proved each night, and the packed packages on each Node that they promise to run on.
		all: { type: "boolean", default: false },
		// A folder for the tarballs, once they are proved.
		tarballs: { type: "string" },
	},
});
await prove([
	...staticChecks,
	...(options.all ? nightlyChecks : []),
	{
		name: "packed packages, and the documents' code",
		run: () => provePackedPackages({ onAllNodes: options.all, keepIn: options.tarballs }),
	},
]);

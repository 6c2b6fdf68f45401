import { provePackedPackages } from "../packed/prove.ts";
import { prove } from "../programs/steps.ts";
import { nightlyChecks, staticChecks } from "./static-checks.ts";

// Also what is proved each night, and the packed packages on each Node that they promise to run on.
const all = process.argv.includes("--all");
await prove([
	...staticChecks,
	...(all ? nightlyChecks : []),
	{ name: "packed packages, and the documents' code", run: () => provePackedPackages({ onAllNodes: all }) },
]);

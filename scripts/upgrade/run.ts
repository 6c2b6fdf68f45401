import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../setup/paths.mjs";
import { runToEnd } from "../setup/spawn.mjs";
import { packServer } from "./packed-server.ts";
import { findCommit, findReleaseBefore } from "./release-before.ts";

const usage = `Usage: node scripts/run.mjs upgrade [--from REF] [--times NUMBER]

Lets servers of the release before stand in for this work tree's, one after the other, on one database while people
upload, encode, play and get webhooks, and fails if anything was lost, or a server didn't end in order.

  --from REF       the commit whose server stands in (default: the one that last changed the version; until there is
                   one, the one that brought the first schema)
  --times NUMBER   how often a server is replaced, and brought back (default: 6)
`;

const { values } = parseArgs({
	options: { from: { type: "string" }, times: { type: "string", default: "6" }, help: { type: "boolean" } },
});
if (values.help) console.log(usage);
else {
	const commit = await (values.from === undefined ? findReleaseBefore() : findCommit(values.from));
	const program = await packServer(commit, (text) => console.log(text));
	// What is lost counts here: no bound in time judges a machine that other programs keep busy.
	const faults = ["--only", "replace-server", "--each", values.times, "--beside", program, "--patience", "4"];
	process.exitCode = await runToEnd(process.execPath, [join(root, "faults/run.ts"), ...faults]);
}

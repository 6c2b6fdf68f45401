import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../setup/paths.mjs";
import { packServer } from "./packed-server.ts";
import { findCommit, findReleaseBefore } from "./release-before.ts";
import { rollOut } from "./rollout.ts";

const usage = `Usage: node scripts/run.mjs upgrade [--from REF] [--seconds NUMBER]

Runs the server of the release before beside this work tree's, on one database under load, there and back again, and
fails if an answer was 500 or more, or if anything was lost.

  --from REF         the commit whose server comes first (default: the one that last changed the version; until there
                     is one, the last that had no migration under the contract)
  --seconds NUMBER   how long each of the four stages lasts (default: 15)
`;

const { values } = parseArgs({
	options: { from: { type: "string" }, seconds: { type: "string", default: "15" }, help: { type: "boolean" } },
});
if (values.help) console.log(usage);
else {
	const commit = await (values.from === undefined ? findReleaseBefore() : findCommit(values.from));
	const say = (text: string) => console.log(text);
	const { faults, videos } = await rollOut({
		before: await packServer(commit, say),
		after: join(root, "apps/server/src/main.ts"),
		seconds: Number(values.seconds),
		databaseServer: process.env.REELMILL_DATABASE_URL,
		say,
	});
	for (const fault of faults.slice(0, 50)) console.error(fault);
	console.log(`From ${commit.slice(0, 12)}: ${videos} videos, ${faults.length} faults.`);
	if (faults.length > 0 || videos === 0) process.exitCode = 1;
}

import { writeSync } from "node:fs";
import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";

/** Starts an embedded server and prints its address. Then it waits to be killed or, if told so, kills itself. */
const [directory = "", end] = process.argv.slice(2);
const { url, pid } = await startEmbeddedPostgres({
	directory,
	...(process.env.PATH !== undefined && { searchPath: process.env.PATH }),
});
writeSync(1, `${JSON.stringify({ url, pid })}\n`);
if (end === "killed") process.kill(process.pid, "SIGKILL");
setInterval(() => {}, 60_000);

import { writeSync } from "node:fs";
import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";

/** Starts an embedded server, says where it is, and waits to be killed. */
const [directory = ""] = process.argv.slice(2);
const { url, pid } = await startEmbeddedPostgres({ directory, ...(process.env.PATH !== undefined && { searchPath: process.env.PATH }) });
writeSync(1, `${JSON.stringify({ url, pid })}\n`);
setInterval(() => {}, 60_000);

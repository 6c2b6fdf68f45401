#!/usr/bin/env node
import { Interrupted, runCli } from "./index.ts";

const stop = new AbortController();
// The first signal ends the work in order; a second one the process, as if nobody listened.
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort(new Interrupted()));
// A reader that has enough (`| head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

process.exitCode = await runCli(process.argv.slice(2), { environment: process.env, stdout: process.stdout, stderr: process.stderr, signal: stop.signal });

#!/usr/bin/env node
import { Interrupted, runCli } from "./index.ts";

const stop = new AbortController();
let asked: number | undefined;
// The first signal lets the command end in order. One Ctrl-C can arrive several times, from the terminal and from npx:
// only a signal that comes more than a second later ends the process at once.
for (const name of ["SIGINT", "SIGTERM"] as const) {
	process.on(name, () => {
		if (asked !== undefined && performance.now() - asked > 1000) process.exit(1);
		asked ??= performance.now();
		stop.abort(new Interrupted());
	});
}
// If the reader ends early (`| head`), that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

process.exitCode = await runCli(process.argv.slice(2), {
	environment: process.env,
	get stdin() {
		return process.stdin;
	},
	stdout: process.stdout,
	stderr: process.stderr,
	signal: stop.signal,
});

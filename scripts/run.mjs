#!/usr/bin/env node
// The one way in: `node scripts/run.mjs <command>`. Plain JavaScript without dependencies, so that it runs on Node 20
// before anything is installed. The npm scripts call it by `exec`: npm hands a signal to its shell alone, and that
// would die without handing it on.
import { commands, help } from "./commands.mjs";
import { prepareDependencies } from "./setup/dependencies.mjs";
import { root } from "./setup/paths.mjs";
import { preparePrograms } from "./setup/programs.mjs";
import { SetupError } from "./setup/setup-error.mjs";
import { runToEnd } from "./setup/spawn.mjs";

process.chdir(root);
const [name = "--help", ...rest] = process.argv.slice(2);
if (name === "--help" || name === "-h") {
	process.stdout.write(help());
} else {
	try {
		const command = commands.get(name);
		if (!command)
			throw new SetupError(`There is no command "${name}": choose one of ${[...commands.keys()].join(", ")}.`);
		const asksForHelp = rest.includes("--help") || rest.includes("-h");
		if (asksForHelp && command.help) {
			process.stdout.write(command.help);
		} else {
			const node = await prepareDependencies();
			if (!asksForHelp) {
				await preparePrograms(command.programs?.(process.env, rest) ?? []);
				await command.before?.(process.env, node);
			}
			if (command.script) process.exitCode = await runToEnd(node, [command.script, ...(command.first ?? []), ...rest]);
			else process.stdout.write(`${command.done}\n`);
		}
	} catch (error) {
		if (!(error instanceof SetupError)) throw error;
		process.stderr.write(`${error.message}\n`);
		process.exitCode = 1;
	}
}

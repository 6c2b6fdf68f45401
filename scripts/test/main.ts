import { runToEnd } from "../spawn.mjs";
import { tool } from "../tool.ts";
import { parseAll, proveAll } from "./all.ts";
import { proveDaily } from "./daily.ts";
import { measureTests } from "./measure.ts";
import { budgets } from "./parts.ts";
import { openMeter, printSpent } from "./spent.ts";

const vitest = (args: readonly string[], environment = process.env) => runToEnd(tool("vitest"), [...args], environment);

/** Runs the tests of `npm run test:fast`, and prints what they cost. */
async function runFast(args: readonly string[]): Promise<number> {
	const meter = openMeter();
	const code = await vitest(["run", ...args], { ...process.env, REELMILL_TEST_RUN: "fast" });
	printSpent(await meter.read(), { total: budgets.fast });
	meter.close();
	return code;
}

async function runAll(args: readonly string[]): Promise<number> {
	try {
		return (await proveAll(parseAll(args))) ? 0 : 1;
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		return 1;
	}
}

const [run, ...args] = process.argv.slice(2);
switch (run) {
	case "fast":
		process.exitCode = await runFast(args);
		break;
	case "all":
		process.exitCode = await runAll(args);
		break;
	case "measure":
		process.exitCode = (await measureTests(args)) ? 0 : 1;
		break;
	default:
		if (args.length === 0) process.exitCode = (await proveDaily()) ? 0 : 1;
		else process.exitCode = await vitest([args.includes("--watch") ? "watch" : "run", ...args]);
}

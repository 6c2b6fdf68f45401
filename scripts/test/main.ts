import { tool } from "../programs/tool.ts";
import { runToEnd } from "../setup/spawn.mjs";
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
	const { parseAll, proveAll } = await import("./all.ts");
	try {
		return (await proveAll(parseAll(args))) ? 0 : 1;
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		return 1;
	}
}

async function runMeasure(args: readonly string[]): Promise<number> {
	const { measureTests } = await import("./measure.ts");
	return (await measureTests(args)) ? 0 : 1;
}

async function runDaily(args: readonly string[]): Promise<number> {
	if (args.length > 0) return vitest([args.includes("--watch") ? "watch" : "run", ...args]);
	const { proveDaily } = await import("./daily.ts");
	return (await proveDaily()) ? 0 : 1;
}

const runs = { fast: runFast, daily: runDaily, all: runAll, measure: runMeasure };
const [run, ...args] = process.argv.slice(2);
process.exitCode = await runs[run as keyof typeof runs](args);

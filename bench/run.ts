import { media } from "./media.ts";

const benchmarks: Record<string, (rounds: number) => Promise<void>> = { media };
const usage = `Usage: npm run bench -- [${Object.keys(benchmarks).join(" | ")}] [rounds]`;

const [name, rounds = "3", ...rest] = process.argv.slice(2);
const chosen = name === undefined ? Object.values(benchmarks) : [benchmarks[name]];
if (rest.length > 0 || !(Number(rounds) >= 1)) {
	console.error(usage);
	process.exit(1);
}
for (const run of chosen) {
	if (run === undefined) {
		console.error(`${name} is no benchmark. ${usage}`);
		process.exit(1);
	}
	await run(Number(rounds));
}

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCampaign, runOnly } from "./campaign.ts";
import { type Options, parseOptions, usage } from "./options.ts";
import { groupText, summarise, verdicts } from "./summary.ts";

function options(): Options | null {
	try {
		return parseOptions(process.argv.slice(2), () => Math.floor(Math.random() * 2 ** 31));
	} catch (error) {
		console.error(`${(error as Error).message}\n\n${usage}`);
		process.exit(1);
	}
}

async function run(
	{ seed, requests, only, concurrency, patience, keep }: Options,
	signal: AbortSignal,
): Promise<boolean> {
	const started = Date.now();
	const directory = await mkdtemp(join(tmpdir(), "reelmill-fuzz-"));
	console.log(`seed ${seed}; the server's log and data are kept in ${directory} unless all goes well`);
	const onProgress = (line: string) =>
		console.log(`${String(Math.round((Date.now() - started) / 1000)).padStart(5)} s  ${line}`);
	const isWell = only === undefined ? await runAll() : await runOnly(only, { seed, directory, onProgress });
	if (isWell && !keep) await rm(directory, { recursive: true, force: true });
	return isWell;

	async function runAll(): Promise<boolean> {
		const result = await runCampaign({ seed, requests, concurrency, directory, onProgress, signal });
		const wrong = verdicts(result, patience);
		await writeFile(
			join(directory, "found.json"),
			JSON.stringify({ groups: result.groups, verdicts: wrong, operations: [...result.counts.operations] }, null, "\t"),
		);
		for (const group of result.groups.toSorted((a, b) => b.count - a.count))
			console.error(`\n${groupText(group, seed)}`);
		for (const one of wrong) console.error(`\n${one}`);
		console.log(`\n${summarise(result, { seed, requests })}`);
		const count = result.groups.length + wrong.length;
		console.log(`\n${count === 0 ? "Nothing was found." : `${count} kinds of things are wrong.`}`);
		return count === 0;
	}
}

const asked = options();
if (asked === null) console.log(usage);
else {
	const stopping = new AbortController();
	for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => stopping.abort());
	if (!(await run(asked, stopping.signal))) process.exitCode = 1;
}

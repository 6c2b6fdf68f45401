import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCampaign } from "./campaign.ts";
import { createHistory } from "./history/history.ts";
import { judge } from "./invariants/index.ts";
import { type Options, parseOptions, usage } from "./options.ts";
import { fullScale } from "./scales.ts";
import { breachText, summarise } from "./summary.ts";

function options(): Options | null {
	try {
		return parseOptions(process.argv.slice(2), () => Math.floor(Math.random() * 2 ** 31));
	} catch (error) {
		console.error(`${(error as Error).message}\n\n${usage}`);
		process.exit(1);
	}
}

async function run(
	{ seed, kills, minutes, each, only, patience, beside, keep }: Options,
	signal: AbortSignal,
): Promise<boolean> {
	const started = Date.now();
	const directory = await mkdtemp(join(tmpdir(), "reelmill-faults-"));
	console.log(
		`seed ${seed}; ${kills} kills, ${minutes} minutes at most; everything is kept in ${directory} unless all goes well`,
	);
	const history = createHistory(join(directory, "history.jsonl"));
	const onProgress = (line: string) =>
		console.log(`${String(Math.round((Date.now() - started) / 1000)).padStart(5)} s  ${line}`);
	const { final, done } = await runCampaign({
		seed,
		kills,
		minutes,
		each,
		only,
		patience,
		otherRelease: beside,
		...fullScale,
		directory,
		history,
		onProgress,
		signal,
	});
	await writeFile(join(directory, "final.json"), JSON.stringify(final));
	const { lock, pendingUpload } = fullScale.scale.windows;
	const judged = { history: history.entries, final, lockSeconds: lock, pendingUploadSeconds: pendingUpload, patience };
	const verdicts = judge(judged);
	console.log(`\n${summarise(judged, verdicts, { seed, seconds: (Date.now() - started) / 1000 })}`);
	const broken = verdicts.filter(({ breaches }) => breaches.length > 0);
	for (const verdict of broken) console.error(`\n${breachText(verdict, seed)}`);
	const tooFew = [...done].filter(([, times]) => times < each);
	if (tooFew.length > 0)
		console.error(
			`\nNot done ${each} times in ${minutes} minutes: ${tooFew.map(([kind, times]) => `${kind} ${times}`).join(", ")}.`,
		);
	const isWell = broken.length === 0 && tooFew.length === 0;
	if (isWell && !keep) await rm(directory, { recursive: true, force: true });
	return isWell;
}

const asked = options();
if (asked === null) console.log(usage);
else {
	const stopping = new AbortController();
	for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => stopping.abort());
	if (!(await run(asked, stopping.signal))) process.exitCode = 1;
}

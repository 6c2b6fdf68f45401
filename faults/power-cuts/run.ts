import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runPowerCuts } from "./campaign.ts";
import { powerCutText } from "./summary.ts";

const { values } = parseArgs({
	options: {
		cuts: { type: "string", default: "100" },
		seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
	},
});
const directory = await mkdtemp(join(tmpdir(), "reelmill-power-cuts-"));
const started = Date.now();
console.log(`seed ${values.seed}; ${values.cuts} cuts`);
const result = await runPowerCuts({
	directory,
	cuts: Number(values.cuts),
	seed: Number(values.seed),
	onProgress: (line) => console.log(line),
});
console.log(`\n${powerCutText(result)}\n${Math.round((Date.now() - started) / 1000)} s`);
await rm(directory, { recursive: true, force: true });
if (result.losses.length > 0 || result.wrong.length > 0) process.exitCode = 1;

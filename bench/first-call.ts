import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median } from "./median.ts";

const run = promisify(execFile);
const client = fileURLToPath(new URL("./clients/first-call.ts", import.meta.url));
type Taken = { readonly wall: number; readonly processor: number };

async function firstCall(cacheDirectory: string): Promise<Taken> {
	return JSON.parse((await run(process.execPath, [client, cacheDirectory])).stdout) as Taken;
}

function tell(name: string, taken: readonly Taken[]): void {
	const of = (key: keyof Taken) => Math.round(median(taken.map((each) => each[key])));
	console.log(`${name}: ${of("wall")} ms until the first answer, ${of("processor")} ms of the processor`);
}

/** How long a test file waits for the service in its process: the first file on a machine, and later ones. */
export async function firstCallOfTests(rounds = 5): Promise<void> {
	const first: Taken[] = [];
	const later: Taken[] = [];
	for (let round = 0; round < rounds; round++) {
		const directory = await mkdtemp(join(tmpdir(), "reelmill-first-call-"));
		first.push(await firstCall(directory));
		later.push(await firstCall(directory), await firstCall(directory));
		await rm(directory, { recursive: true });
	}
	tell("the first test file", first);
	tell("later test files", later);
}

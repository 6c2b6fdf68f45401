import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { processIdentity } from "../embedded/process-identity.ts";

/** The process `pid` and its children now, or none where it has ended. */
export async function processTree(pid: number): Promise<number[]> {
	if ((await processIdentity(pid)) === null) return [];
	const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
	const pairs = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
	return [pid, ...pairs.filter(([, parent]) => parent === pid).map(([child]) => child as number)];
}

/** Sends the signal to all of them. Those that have ended by now can't be told any more. */
export function tell(processes: Iterable<number>, signal: NodeJS.Signals): void {
	for (const pid of processes) {
		try {
			process.kill(pid, signal);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
		}
	}
}

/** Resolves when none of them runs. */
export async function untilGone(processes: readonly number[]): Promise<void> {
	for (const pid of processes) while ((await processIdentity(pid)) !== null) await sleep(5);
}

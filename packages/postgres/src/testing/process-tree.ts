import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const ps = async (...args: string[]): Promise<string> =>
	(await promisify(execFile)("ps", args, { encoding: "utf8" })).stdout;

/** Whether the process runs. A process that has ended, but whose parent hasn't heard of it yet, doesn't run. */
async function isRunning(pid: number): Promise<boolean> {
	const state = await ps("-o", "stat=", "-p", String(pid)).catch(() => "");
	return state.trim() !== "" && !state.startsWith("Z");
}

/** Lists the process `pid` and its children now; none if it has ended. */
export async function processTree(pid: number): Promise<number[]> {
	if (!(await isRunning(pid))) return [];
	const pairs = (await ps("-A", "-o", "pid=,ppid=")).split("\n").map((line) => line.trim().split(/\s+/).map(Number));
	return [pid, ...pairs.filter(([, parent]) => parent === pid).map(([child]) => child as number)];
}

/** Sends the signal to all of them. Those that have ended are left out. */
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
	for (const pid of processes) while (await isRunning(pid)) await sleep(5);
}

import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

export const isAlive = (pid: number): boolean => {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
};

/** Returns a process and its children. */
export async function familyOf(pid: number): Promise<number[]> {
	const { stdout } = await promisify(execFile)("ps", ["-o", "pid=", "--ppid", String(pid)]).catch(() => ({
		stdout: "",
	}));
	return [pid, ...stdout.split("\n").map(Number).filter(Boolean)];
}

/** Sends the signal to those that still run. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
	for (const pid of pids) if (isAlive(pid)) process.kill(pid, signal);
}

export async function untilGone(pids: readonly number[]): Promise<void> {
	while (pids.some(isAlive)) await sleep(5);
}

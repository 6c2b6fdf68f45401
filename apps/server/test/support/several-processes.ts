import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { RunningProcess } from "./running-server.ts";

/** Resolves to the ids of the processes that a process has started, whatever they do. */
export async function childrenOf(pid: number | undefined): Promise<number[]> {
	const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,stat="]);
	return stdout.split("\n").flatMap((line) => {
		const [child, parent, state = "Z"] = line.trim().split(/\s+/);
		return Number(parent) === pid && !state.startsWith("Z") ? [Number(child)] : [];
	});
}

/** Whether a process with this id runs. */
export function runs(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

/**
 * Resolves to the values of a metric in each process, in their order. `labels` is what stands before the label of the
 * process.
 */
export async function byProcess({ operations }: RunningProcess, name: string, labels = ""): Promise<number[]> {
	const text = await (await fetch(`${operations}/metrics`)).text();
	return [1, 2].map((process) => {
		const sample = `${name}{${labels === "" ? "" : `${labels},`}process="${process}"} `;
		const line = text.split("\n").find((each) => each.startsWith(sample));
		return line === undefined ? Number.NaN : Number(line.slice(sample.length));
	});
}

/** Resolves when both processes have answered a request of this plane with this status. */
export const bothAnswered = (server: RunningProcess, plane: string, status: number): Promise<void> =>
	expect
		.poll(async () => {
			const counts = await byProcess(server, "reelmill_http_requests_total", `plane="${plane}",status="${status}"`);
			return counts.every((count) => count > 0);
		})
		.toBe(true);

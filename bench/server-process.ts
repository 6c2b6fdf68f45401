import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A server of `servers/` in its own process. */
export type ServerProcess<Ready> = {
	/** What it reported when it was ready: one line of JSON. */
	readonly ready: Ready;
	/** Returns the CPU seconds that it and its children have used, as the kernel counts them, in steps of 10 ms. */
	cpuSeconds(): number;
	/** Returns the CPU seconds that it has used without its children. */
	ownCpuSeconds(): number;
	signal(name: NodeJS.Signals): void;
	stop(): Promise<void>;
};

/** Starts `servers/<name>.ts` with these arguments; resolves when it is ready. */
export async function startServer<Ready>(name: string, ...args: string[]): Promise<ServerProcess<Ready>> {
	const child = spawn(process.execPath, [fileURLToPath(new URL(`./servers/${name}.ts`, import.meta.url)), ...args], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const exit = once(child, "exit");
	const first = await Promise.race([once(createInterface({ input: child.stdout }), "line"), exit]);
	if (typeof first[0] !== "string") throw new Error(`the server ${name} ended before it was ready`);
	return {
		ready: JSON.parse(first[0]) as Ready,
		cpuSeconds: () => cpuSecondsOf(child.pid as number),
		ownCpuSeconds: () => ownCpuSecondsOf(child.pid as number),
		signal: (name) => void child.kill(name),
		async stop() {
			child.kill("SIGTERM");
			await exit;
		},
	};
}

const ticksPerSecond = 100;

/** Returns the CPU seconds that a process has used without its children. */
export const ownCpuSecondsOf = (pid: number): number => (statOf(String(pid))[0]?.ticks ?? 0) / ticksPerSecond;

/** Returns the CPU seconds that a process and its children have used, with those that have ended. */
export const cpuSecondsOf = (root: number): number =>
	processesOf(root).reduce((sum, { ticks, ended }) => sum + ticks + ended, 0) / ticksPerSecond;

/** Returns the processes that this one has started and that have not ended, with theirs. */
export const childrenLeft = (): number[] =>
	processesOf(process.pid).flatMap(({ pid }) => (pid === process.pid ? [] : pid));

function processesOf(root: number): ReturnType<typeof statOf> {
	const processes = readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.flatMap(statOf);
	const known = new Set([root]);
	for (let before = 0; before !== known.size; ) {
		before = known.size;
		for (const { pid, parent } of processes) if (known.has(parent)) known.add(pid);
	}
	return processes.filter(({ pid }) => known.has(pid));
}

/**
 * Returns nothing for a process that has ended meanwhile. The program's name may contain spaces and brackets, so the
 * fields begin after the last bracket.
 */
function statOf(pid: string): { pid: number; parent: number; ticks: number; ended: number }[] {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, "utf8");
		const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
		const sum = (first: number): number => Number(fields[first]) + Number(fields[first + 1]);
		return [{ pid: Number(pid), parent: Number(fields[1]), ticks: sum(11), ended: sum(13) }];
	} catch {
		return [];
	}
}

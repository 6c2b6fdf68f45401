import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where Linux keeps its control groups, in version 2: alone, or beside those of version 1. */
const roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];
/** The environment's name for the folder of this run's groups. */
const name = "REELMILL_TEST_CPU_GROUPS";

export type CpuGroups = {
	/** The seconds of CPU of each group, children included, by name; what runs in no group is `""`. */
	read(): Map<string, number>;
	close(): void;
};

/**
 * Counts the CPU of all processes that this one starts from now on. A control group counts what a process in bubblewrap
 * takes as well, which the kernel adds to no parent. Undefined if this machine has none, or none for this user.
 */
export function openCpuGroups(): CpuGroups | undefined {
	const root = roots.find((folder) => existsSync(join(folder, "cgroup.procs")));
	if (!root || process.env[name]) return undefined;
	const base = join(root, `reelmill-test-${process.pid}`);
	const home = join(root, own());
	try {
		mkdirSync(base);
		writeFileSync(join(base, "cgroup.procs"), String(process.pid));
	} catch {
		return undefined;
	}
	process.env[name] = base;
	return {
		read() {
			const groups = new Map(groupsIn(base).map((group) => [nameOf(group), cpuOf(join(base, group))]));
			const inGroups = [...groups.values()].reduce((sum, seconds) => sum + seconds, 0);
			return groups.set("", cpuOf(base) - inGroups);
		},
		close() {
			delete process.env[name];
			writeFileSync(join(home, "cgroup.procs"), String(process.pid));
			for (const folder of [...groupsIn(base).map((group) => join(base, group)), base]) {
				try {
					rmdirSync(folder);
				} catch {
					// A process that was started in it still runs.
				}
			}
		},
	};
}

/** Counts what `start` starts in a group, and this process where it was before. */
export async function inCpuGroup<T>(group: string, start: () => Promise<T>): Promise<T> {
	enterCpuGroup(group);
	try {
		return await start();
	} finally {
		const base = process.env[name];
		if (base) writeFileSync(join(base, "cgroup.procs"), String(process.pid));
	}
}

/** Counts this process, and what it starts from now on, in a group of {@link openCpuGroups}; without one, does nothing. */
export function enterCpuGroup(group: string): void {
	const base = process.env[name];
	if (!base) return;
	const folder = join(base, group.replaceAll("/", "+"));
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "cgroup.procs"), String(process.pid));
}

const own = (): string => /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1] ?? "";
const groupsIn = (base: string): string[] =>
	readdirSync(base, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
const nameOf = (group: string): string => group.replaceAll("+", "/");
const cpuOf = (folder: string): number =>
	Number(/^usage_usec (\d+)/.exec(readFileSync(join(folder, "cpu.stat"), "utf8"))?.[1]) / 1e6;

/** What the processes took that started this one: npm, and the set-up before it. Undefined outside of Linux. */
export function cpuBefore(): number | undefined {
	const file = `/proc/${process.ppid}/stat`;
	if (!existsSync(file)) return undefined;
	const fields = readFileSync(file, "utf8").split(") ").at(-1)?.split(" ") ?? [];
	// Its own time and that of the children it waited for, in hundredths of a second (proc(5), fields 14 to 17).
	return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
}

const steps = 100_000_000;
const loopsOfUnit = 4;

/** Only reckons: a loop that walks through memory took three times as long when other machines used the same cache. */
function loop(): number {
	let state = 1;
	for (let step = 0; step < steps; step++) {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		state = (state + step) | 0;
	}
	return state;
}

/**
 * Runs a loop that always does the same, and returns the seconds of CPU that four of it take: the unit in which costs
 * are given, since machines differ by two. It is about a second.
 */
export function timeUnit(): number {
	const before = process.threadCpuUsage();
	loop();
	const { user, system } = process.threadCpuUsage(before);
	return (loopsOfUnit * (user + system)) / 1e6;
}

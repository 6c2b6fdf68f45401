import { access, mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export type MemoryGroup = {
	/**
	 * Puts a process into the group. Processes that it starts from now on are in the group, too. Memory that it has
	 * already doesn't count.
	 */
	add(processId: number): Promise<void>;
	/** Returns how many processes in the group the kernel has killed. */
	kills(): Promise<number>;
	/** Changes how many bytes of memory all processes in the group may have together. */
	limit(bytes: number): Promise<void>;
	/** Removes the group, whose processes must be gone. */
	close(): Promise<void>;
};

const firstVersion = "/sys/fs/cgroup/memory";
const secondVersion = "/sys/fs/cgroup";

/**
 * Makes a group of processes that may have `bytes` of memory together. The kernel kills a process that wants more. Only
 * root may make it.
 */
export async function openMemoryGroup(name: string, bytes: number): Promise<MemoryGroup> {
	const isFirst = await access(firstVersion).then(
		() => true,
		() => false,
	);
	const directory = join(isFirst ? firstVersion : secondVersion, `reelmill-${process.pid}-${name}`);
	const set = (file: string, text: string) => writeFile(join(directory, file), text);
	const limit = (bytes: number) => set(isFirst ? "memory.limit_in_bytes" : "memory.max", String(bytes));
	await mkdir(directory);
	await limit(bytes);
	return {
		limit,
		add: (processId) => set("cgroup.procs", String(processId)),
		async kills() {
			const text = await readFile(join(directory, isFirst ? "memory.oom_control" : "memory.events"), "utf8");
			return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
		},
		async close() {
			for (let attempt = 1; ; attempt++) {
				try {
					return await rmdir(directory);
				} catch (error) {
					if (attempt === 50) throw error;
					await sleep(20);
				}
			}
		},
	};
}

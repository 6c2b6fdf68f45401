import { createHash } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";

/**
 * What tells a process from every other that has its number before or after it, in a container that starts anew for
 * example; null where the system doesn't say.
 */
export async function startOf(pid: number): Promise<string | null> {
	const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
	return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

/** Whether the process runs; where `start` is known, that one alone. */
export async function isAlive(pid: number, start: string | null): Promise<boolean> {
	try {
		process.kill(pid, 0);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
	}
	const now = start === null ? null : await startOf(pid);
	return now === null || now === start;
}

/**
 * Names the processes among which a number stands for one process: those of one namespace, as a container has it, since
 * the machine started. Null where the system doesn't say: there is one such space alone then, as far as anybody knows.
 */
export async function processSpace(): Promise<string | null> {
	const [boot, space] = await Promise.all([
		readFile("/proc/sys/kernel/random/boot_id", "utf8"),
		readlink("/proc/self/ns/pid"),
	]).catch(() => [null, null]);
	return boot === null ? null : createHash("sha256").update(`${boot}${space}`).digest("hex").slice(0, 8);
}

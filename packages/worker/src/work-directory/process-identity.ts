import { createHash } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";

/**
 * Returns when a process started, which tells it from earlier and later processes with the same number; null if the
 * system has no `/proc`, or there is no such process.
 */
export async function startOf(pid: number): Promise<string | null> {
	const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
	return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

/** Returns whether a process with this number runs; if `start` is given, one that started then. */
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
 * Returns a name for the process namespace, such as a container's, on this start of the machine. Within it a process
 * number means one process. Returns null if the system has no `/proc`; then there is one namespace only.
 */
export async function processNamespace(): Promise<string | null> {
	const [boot, namespace] = await Promise.all([
		readFile("/proc/sys/kernel/random/boot_id", "utf8"),
		readlink("/proc/self/ns/pid"),
	]).catch(() => [null, null]);
	return boot === null ? null : createHash("sha256").update(`${boot}${namespace}`).digest("hex").slice(0, 8);
}

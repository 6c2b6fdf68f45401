import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** What tells the process `pid` from every other that has had or will have this number on this machine; null when there is no such process. */
export async function processIdentity(pid: number): Promise<string | null> {
	if (!isAlive(pid)) return null;
	if (process.platform !== "linux") return commandOutput("lstart=", pid);
	try {
		const [stat, boot] = await Promise.all([readFile(`/proc/${pid}/stat`, "utf8"), readFile("/proc/sys/kernel/random/boot_id", "utf8")]);
		const afterName = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		if (afterName[0] === "Z") return null;
		return `${boot.trim()} ${afterName[19]}`;
	} catch {
		return null;
	}
}

/** Whether the process `pid` is a PostgreSQL server on `dataDirectory`. */
export async function isPostmasterOf(pid: number, dataDirectory: string): Promise<boolean> {
	if (!isAlive(pid)) return false;
	if (process.platform !== "linux") return (await commandOutput("command=", pid))?.includes(dataDirectory) ?? false;
	const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
	return command.split("\0").includes(dataDirectory);
}

export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}

async function commandOutput(column: string, pid: number): Promise<string | null> {
	try {
		const { stdout } = await promisify(execFile)("ps", ["-o", column, "-p", String(pid)]);
		return stdout.trim() || null;
	} catch {
		return null;
	}
}

import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/**
 * Returns the processor time that a process group has used, as a text that changes whenever any of its processes
 * worked or ended; `null` if it can't be found out, or if the group is gone.
 */
export const processorTime = (group: number): Promise<string | null> =>
	(process.platform === "linux" ? fromProc(group) : fromPs(group)).catch(() => null);

/** The places of fields in `/proc/<pid>/stat`, counted behind the program's name, which may hold spaces. */
const fields = { group: 2, user: 11, system: 12, childrenUser: 13, childrenSystem: 14 };

async function fromProc(group: number): Promise<string | null> {
	const times: string[] = [];
	for (const entry of await readdir("/proc")) {
		if (!/^\d+$/.test(entry)) continue;
		// A process may end while this reads.
		const stat = await readFile(`/proc/${entry}/stat`, "latin1").catch(() => "");
		const found = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		if (Number(found[fields.group]) !== group) continue;
		times.push([entry, ...found.slice(fields.user, fields.childrenSystem + 1)].join(" "));
	}
	return times.length === 0 ? null : times.join("\n");
}

async function fromPs(group: number): Promise<string | null> {
	const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pgid=,pid=,time="]);
	const own = stdout.split("\n").filter((line) => Number.parseInt(line, 10) === group);
	return own.length === 0 ? null : own.join("\n");
}

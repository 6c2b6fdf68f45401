import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/**
 * Returns the seconds of processor time of a process group: of the processes in it, and of their children that have
 * ended. Returns `null` if it can't be found out, or if the group is gone.
 */
export const processorTime = (group: number): Promise<number | null> =>
	(process.platform === "linux" ? fromProc(group) : fromPs(group)).catch(() => null);

/** The places of fields in `/proc/<pid>/stat`, counted behind the program's name, which may hold spaces. */
const fields = { group: 2, user: 11, childrenSystem: 14 };
/** Linux counts time for programs in this unit on every kind of processor. */
const ticksPerSecond = 100;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

async function fromProc(group: number): Promise<number | null> {
	const times: number[] = [];
	for (const entry of await readdir("/proc")) {
		if (!/^\d+$/.test(entry)) continue;
		// A process may end while this reads.
		const stat = await readFile(`/proc/${entry}/stat`, "latin1").catch(() => "");
		const found = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		if (Number(found[fields.group]) !== group) continue;
		times.push(sum(found.slice(fields.user, fields.childrenSystem + 1).map(Number)));
	}
	return times.length === 0 ? null : sum(times) / ticksPerSecond;
}

async function fromPs(group: number): Promise<number | null> {
	const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pgid=,time="]);
	const own = stdout.split("\n").filter((line) => Number.parseInt(line, 10) === group);
	// Hours, minutes and seconds; days are rare enough to be taken for sixty hours.
	const secondsOf = (time = ""): number => time.split(/[-:]/).reduce((seconds, part) => seconds * 60 + Number(part), 0);
	return own.length === 0 ? null : sum(own.map((line) => secondsOf(line.trim().split(/\s+/)[1])));
}

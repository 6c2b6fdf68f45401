import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What a running server says of itself in `postmaster.pid`. */
export type Postmaster = { readonly pid: number; readonly port: number; readonly ready: boolean };

export const pidFile = (dataDirectory: string): string => join(dataDirectory, "postmaster.pid");

export async function readPidFile(dataDirectory: string): Promise<Postmaster | null> {
	const text = await readFile(pidFile(dataDirectory), "utf8").catch(() => null);
	if (text === null) return null;
	const lines = text.split("\n");
	const pid = Number(lines[0]);
	if (!Number.isInteger(pid) || pid <= 0) return null;
	return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === "ready" };
}

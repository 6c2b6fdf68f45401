import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { isAlive, isPostmasterOf } from "./process-identity.ts";

/** What a running server says of itself in `postmaster.pid`. */
export type Postmaster = { readonly pid: number; readonly port: number; readonly ready: boolean; readonly sharedMemory: string | undefined };

export async function readPidFile(dataDirectory: string): Promise<Postmaster | null> {
	const text = await readFile(join(dataDirectory, "postmaster.pid"), "utf8").catch(() => null);
	if (text === null) return null;
	const lines = text.split("\n");
	const pid = Number(lines[0]);
	if (!Number.isInteger(pid) || pid <= 0) return null;
	return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === "ready", sharedMemory: lines[6]?.trim().split(/\s+/)[1] };
}

/**
 * The server that runs on `dataDirectory`, left over by a parent that was killed; null when none does.
 * A pid file whose number has gone to another process since (usual when a container starts again) would keep PostgreSQL from starting: it is removed,
 * unless a process is still attached to the old server's shared memory.
 */
export async function findOrphan(dataDirectory: string): Promise<Postmaster | null> {
	const found = await readPidFile(dataDirectory);
	if (!found || !isAlive(found.pid)) return null;
	if (await isPostmasterOf(found.pid, dataDirectory)) return found;
	if (process.platform === "linux" && !(await isAttached(found.sharedMemory))) await rm(join(dataDirectory, "postmaster.pid"), { force: true });
	return null;
}

async function isAttached(sharedMemory: string | undefined): Promise<boolean> {
	if (sharedMemory === undefined) return false;
	const segments = await readFile("/proc/sysvipc/shm", "utf8").catch(() => null);
	if (segments === null) return true;
	const [header = "", ...rows] = segments.split("\n").map((line) => line.trim().split(/\s+/)) as [string[], ...string[][]];
	const column = (name: string) => [...header].indexOf(name);
	return rows.some((row) => row[column("shmid")] === sharedMemory && Number(row[column("nattch")]) > 0);
}

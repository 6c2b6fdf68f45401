import type { FileHandle } from "node:fs/promises";
import { createLane } from "@reelmill/engine/ports";

/**
 * Ways to the disk of one store, apart from each other. Each call to a disk holds a thread of Node's pool, and a disk
 * that hangs would hold them all: so what changes the disk, syncs above all, has as many as there are places, and so
 * has what looks and reads, which no sync holds up.
 */
export type DiskLanes = {
	/** Runs what changes something, one call to the disk after the other. */
	change<T>(work: () => Promise<T>): Promise<T>;
	/** Runs what looks or reads, likewise. */
	read<T>(work: () => Promise<T>): Promise<T>;
	/** The same file, each write, sync and cut of which goes by the lane of changes. */
	through(file: FileHandle): FileHandle;
};

/** Two stores with two lanes each leave threads of a pool of 64 to all else. */
const places = 8;
const changes: ReadonlySet<string | symbol> = new Set([
	"write",
	"writev",
	"sync",
	"datasync",
	"truncate",
] satisfies (keyof FileHandle)[]);

export function createDiskLanes(): DiskLanes {
	const [changing, reading] = [createLane(places), createLane(places)];
	return {
		change: changing.run,
		read: reading.run,
		through: (file) =>
			new Proxy(file, {
				get(target, name) {
					const value: unknown = Reflect.get(target, name, target);
					if (typeof value !== "function") return value;
					return changes.has(name)
						? (...given: unknown[]) => changing.run(() => value.apply(target, given))
						: value.bind(target);
				},
			}),
	};
}

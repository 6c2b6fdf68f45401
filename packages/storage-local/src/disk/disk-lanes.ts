import type { FileHandle } from "node:fs/promises";
import { createLane } from "@reelmill/engine/ports";

/**
 * Bounds how many threads of Node's pool one store holds. Each call to a disk holds a thread, and a disk that hangs
 * would hold them all. Changes, syncs above all, and reads have separate bounds, so that no sync holds up a read.
 */
export type DiskLanes = {
	/** Runs work that changes something, one call to the disk after another. */
	change<T>(work: () => Promise<T>): Promise<T>;
	/** Runs work that looks or reads, one call to the disk after another. */
	read<T>(work: () => Promise<T>): Promise<T>;
	/** Returns the same file, whose writes, syncs and truncations run as changes. */
	through(file: FileHandle): FileHandle;
};

/** Two stores with two lanes each leave half of a pool of 64 threads to everything else. */
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

import { type DiskFaults, openMemoryGroup } from "@reelmill/fault-disk";
import type { FaultKind } from "../plan/catalogue.ts";
import type { DataDisk } from "./disks/data-disk.ts";
import type { SmallDisk } from "./disks/small-disk.ts";

type Parts = {
	readonly disk: DataDisk;
	readonly workerDisk: SmallDisk;
	readonly databaseDisk: SmallDisk;
	readonly diskFaults: DiskFaults | null;
};

/** Returns the kinds of faults that can't be done on this machine, each with the reason. */
export async function findImpossibleFaults({
	disk,
	workerDisk,
	databaseDisk,
	diskFaults,
}: Parts): Promise<Map<FaultKind, string>> {
	const hasGroups = await openMemoryGroup("none", 2 ** 30).then(
		(group) => group.close().then(() => true),
		() => false,
	);
	const all: (readonly [boolean, string, readonly FaultKind[]])[] = [
		[
			disk.canBeFilled && workerDisk.canBeFilled && databaseDisk.canBeFilled,
			"no disk in memory can be mounted",
			["fill-disk", "fill-worker-disk", "fill-database-disk"],
		],
		[disk.canBeCopied, "no file system in an image can be mounted", ["cut-power"]],
		[diskFaults !== null, "there is no C compiler, or it isn't Linux", ["fail-syncs", "slow-syncs"]],
		[process.platform === "linux", "it isn't Linux", ["exhaust-descriptors", "notice-worker"]],
		[hasGroups, "no group of processes can have a memory of its own", ["exhaust-memory"]],
	];
	return new Map(
		all.filter(([isPossible]) => !isPossible).flatMap(([, why, kinds]) => kinds.map((kind) => [kind, why] as const)),
	);
}

import { join } from "node:path";
import { type DiskFaults, openDiskFaults } from "@reelmill/fault-disk";
import type { History } from "../history/history.ts";
import type { Random } from "../plan/random.ts";
import type { Closing } from "./closing.ts";
import { type Postgres, startPostgres } from "./database/postgres.ts";
import { type DataDisk, openDataDisk } from "./disks/data-disk.ts";
import { openSmallDisk, type SmallDisk } from "./disks/small-disk.ts";
import type { Disturbances } from "./disturbances.ts";
import { type NameServer, openNameServer } from "./name-server.ts";
import { type Origin, openOrigin } from "./origin.ts";
import { openReceiver, type Receiver } from "./people/receiver.ts";
import { openStorage, type Storage } from "./storage.ts";

/** What servers need and meet: disks, the database, names, a bucket, a receiver of webhooks, and an origin of imports. */
export type Surroundings = {
	readonly disk: DataDisk;
	/** The disk of the transcoders' work. */
	readonly workerDisk: SmallDisk;
	/** Breaks syncs of the servers; null without a compiler. */
	readonly diskFaults: DiskFaults | null;
	readonly postgres: Postgres;
	readonly nameServer: NameServer;
	readonly storage: Storage;
	readonly receiver: Receiver;
	readonly origin: Origin;
};

const workerMegabytes = 64;

export async function openSurroundings({
	directory,
	history,
	random,
	disturbances,
	closing,
}: {
	readonly directory: string;
	readonly history: History;
	readonly random: Random;
	readonly disturbances: Disturbances;
	readonly closing: Closing;
}): Promise<Surroundings> {
	const disk = await closing.opened(openDataDisk(join(directory, "data")));
	const workerDisk = await closing.opened(openSmallDisk(join(directory, "work"), workerMegabytes));
	const diskFaults = process.platform === "linux" ? await openDiskFaults().catch(() => null) : null;
	if (diskFaults) closing.add(() => diskFaults.close());
	const starting = [
		closing.opened(startPostgres({ directory: join(directory, "postgres"), history, disturbances })),
		closing.opened(openStorage()),
	] as const;
	// If one fails, the other must be open before it can be closed.
	await Promise.allSettled(starting);
	const [postgres, storage] = await Promise.all(starting);
	const nameServer = await openNameServer();
	closing.add(async () => nameServer.close());
	const receiver = await closing.opened(openReceiver({ history, random: random.named("receiver"), shareOfBad: 0.3 }));
	const origin = await closing.opened(openOrigin({ history, random: random.named("origin"), shareOfBad: 0.4 }));
	return { disk, workerDisk, diskFaults, postgres, nameServer, storage, receiver, origin };
}

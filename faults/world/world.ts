import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { History } from "../history/history.ts";
import { type FaultKind, serverCount } from "../plan/catalogue.ts";
import type { Random } from "../plan/random.ts";
import type { Clips } from "../processes/content.ts";
import { makeClips, readClips } from "./clips.ts";
import { createClosing } from "./closing.ts";
import { recordChanges } from "./database/recorded-changes.ts";
import { createDisturbances, type Disturbances } from "./disturbances.ts";
import { findImpossibleFaults } from "./impossible-faults.ts";
import { readDifferences } from "./observe/differences.ts";
import { type People, startPeople } from "./people/start-people.ts";
import { makeTenants, type Tenants } from "./people/tenants.ts";
import { decodePictures } from "./pictures.ts";
import { serverSettings } from "./processes/server-settings.ts";
import { type Server, startServer } from "./processes/servers.ts";
import type { Scale } from "./scale.ts";
import { openSurroundings, type Surroundings } from "./surroundings.ts";

/** The whole service and everybody around it. Each is a process of its own, except viewers and webhook receivers. */
export type World = Surroundings &
	People &
	Pick<Tenants, "tenants" | "probes"> & {
		readonly servers: readonly Server[];
		/** With which uploads begin. */
		readonly clips: Clips;
		/** What can't be done on this machine, and why. */
		readonly impossible: ReadonlyMap<FaultKind, string>;
		readonly disturbances: Disturbances;
		/** Returns the differences between rows and storage that `reelmill check` finds. */
		differences(): Promise<readonly string[]>;
		/** Ends everything. Calling it twice ends nothing twice. */
		close(): Promise<void>;
	};

export type WorldOptions = {
	readonly directory: string;
	readonly history: History;
	readonly random: Random;
	readonly scale: Scale;
	/** How many times 10 s everybody waits for an answer. */
	readonly patience: number;
	/** The program of the server that stands in for one that is replaced (default: the same sources). */
	readonly otherRelease?: string | undefined;
};

const adminKey = "the-key-of-a-world-that-ends-soon";
const localTenants = 4;
const bucketTenants = 2;

/** Starts the world. If a part can't be started, the others are ended, and it rejects. */
export async function openWorld(options: WorldOptions): Promise<World> {
	const { directory, history, random, scale, otherRelease } = options;
	const closing = createClosing(history);
	try {
		await mkdir(directory, { recursive: true });
		const log = (text: string) =>
			void writeFile(join(directory, "programs.log"), text, { flag: "a" }).catch(() => undefined);
		const disturbances = createDisturbances(history);
		const clips = await makeClips(directory);
		const surroundings = await openSurroundings({ directory, history, random, disturbances, closing });
		const { postgres, storage, receiver } = surroundings;
		const locations = join(directory, "locations.json");
		await storage.writeLocations(locations);
		const settings = serverSettings(surroundings, { adminKey, locations, windows: scale.windows });
		const shared = { directory, cacheDirectory: join(directory, "compiled"), history, log };
		const servers: Server[] = [];
		for (let index = 0; index < serverCount; index++) {
			const server = startServer(index, {
				...shared,
				settings,
				postgres,
				disturbances,
				otherRelease,
				random: random.named(`server ${index}`),
			});
			servers.push(await closing.opened(server));
			await until(() => servers[index]?.process.isUp() ?? false, `server ${index} is up`);
		}
		const url = servers[0]?.url ?? "";
		const tenants = await makeTenants(url, adminKey, { local: localTenants, inBucket: bucketTenants, receiver });
		await recordChanges(postgres.database);
		const { workerDisk, disk, diskFaults, origin } = surroundings;
		const contents = await readClips(clips);
		const pictures = { short: await decodePictures(contents.short), long: await decodePictures(contents.long) };
		const given = { servers, tenants, clips, contents, pictures, origin, workerDisk, closing };
		return {
			...surroundings,
			...startPeople({ ...options, ...shared, ...given }),
			tenants: tenants.tenants,
			probes: tenants.probes,
			servers,
			disturbances,
			clips: contents,
			impossible: await findImpossibleFaults({ disk, workerDisk, diskFaults, databaseDisk: postgres.primary.disk }),
			differences: () => readDifferences(url, adminKey),
			close: closing.close,
		};
	} catch (error) {
		await closing.close();
		throw error;
	}
}

/** Rejects after three minutes. */
async function until(holds: () => boolean, what: string): Promise<void> {
	const deadline = Date.now() + 180_000;
	while (!holds()) {
		if (Date.now() > deadline) throw new Error(`Three minutes went by before ${what}.`);
		await sleep(20);
	}
}

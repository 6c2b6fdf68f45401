import { execFile } from "node:child_process";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type DiskFaults, openDiskFaults, openMemoryGroup } from "@reelmill/fault-disk";
import type { History } from "../history/history.ts";
import { type FaultKind, serverCount } from "../plan/catalogue.ts";
import type { Random } from "../plan/random.ts";
import { createAskServer } from "../processes/told-requests.ts";
import { type Postgres, startPostgres } from "./database/postgres.ts";
import { recordChanges } from "./database/recorded-changes.ts";
import { type DataDisk, openDataDisk } from "./disks/data-disk.ts";
import { openSmallDisk, type SmallDisk } from "./disks/small-disk.ts";
import { createDisturbances, type Disturbances } from "./disturbances.ts";
import { type NameServer, openNameServer } from "./name-server.ts";
import { readDifferences } from "./observe/differences.ts";
import { createLyingWorker, type LyingWorker } from "./people/lying-worker.ts";
import { openReceiver, type Receiver } from "./people/receiver.ts";
import { makeTenants, type Probes, type Tenants } from "./people/tenants.ts";
import { startUploaders, type Uploaders } from "./people/uploaders.ts";
import { createViewer, type Viewer } from "./people/viewer.ts";
import { startTranscoder, startWorker } from "./people/workers.ts";
import { type Server, startServer } from "./processes/servers.ts";
import type { Supervised } from "./processes/supervised.ts";
import { openStorage, type Storage } from "./storage.ts";

/** How long things take in this world, in seconds. The times are short, so that a thousand kills fit into minutes. */
export type Windows = { readonly lock: number; readonly pendingUpload: number; readonly sweep: number };
export type Scale = {
	readonly uploaders: number;
	readonly workers: number;
	readonly transcoders: number;
	readonly windows: Windows;
};

/** The whole service and everybody around it. Each is a process of its own, except viewers and webhook receivers. */
export type World = {
	readonly postgres: Postgres;
	readonly servers: readonly Server[];
	readonly workers: readonly Supervised[];
	readonly uploaders: Uploaders;
	readonly receiver: Receiver;
	readonly viewer: Viewer;
	readonly storage: Storage;
	readonly names: NameServer;
	readonly lyingWorker: LyingWorker;
	readonly disk: DataDisk;
	/** The disk of the transcoders' work. */
	readonly workerDisk: SmallDisk;
	/** Breaks syncs of the servers; null without a compiler. */
	readonly diskFaults: DiskFaults | null;
	readonly tenants: Tenants["tenants"];
	readonly probes: Probes;
	/** The clip with which every upload begins. */
	readonly clip: Uint8Array;
	/** What can't be done on this machine, and why. */
	readonly impossible: ReadonlyMap<FaultKind, string>;
	readonly disturbances: Disturbances;
	/** Returns the differences between rows and storage that `reelmill check` finds. */
	differences(): Promise<readonly string[]>;
	/** Ends everything. Call it once; it is safe whatever failed before. */
	close(): Promise<void>;
};

const adminKey = "the-key-of-a-world-that-ends-soon";
const workerMegabytes = 64;
const localTenants = 4;
const bucketTenants = 2;

export type WorldOptions = {
	readonly directory: string;
	readonly history: History;
	readonly random: Random;
	readonly scale: Scale;
	/** How many times 10 s everybody waits for an answer. */
	readonly patience: number;
};

export async function openWorld({ directory, history, random, scale, patience }: WorldOptions): Promise<World> {
	const opened: (() => Promise<unknown>)[] = [];
	const close = async () => {
		while (opened.length > 0)
			await opened
				.pop()?.()
				.catch((error: unknown) => history.add({ kind: "noted", text: `could not be closed: ${error}` }));
	};
	const opening = async <T extends { close(): Promise<void> }>(what: Promise<T>): Promise<T> => {
		const made = await what;
		opened.push(() => made.close());
		return made;
	};
	try {
		await mkdir(directory, { recursive: true });
		const log = (text: string) =>
			writeFile(join(directory, "programs.log"), text, { flag: "a" }).catch(() => undefined);
		const disturbances = createDisturbances(history);
		const clip = await makeClip(join(directory, "clip.mp4"));
		const disk = await opening(openDataDisk(join(directory, "data")));
		const workerDisk = await opening(openSmallDisk(join(directory, "work"), workerMegabytes));
		const diskFaults = process.platform === "linux" ? await openDiskFaults().catch(() => null) : null;
		if (diskFaults) opened.push(() => diskFaults.close());
		const postgres = await opening(startPostgres({ directory: join(directory, "postgres"), history, disturbances }));
		const names = await openNameServer();
		opened.push(async () => names.close());
		const storage = await opening(openStorage());
		const locations = join(directory, "locations.json");
		await storage.writeLocations(locations);
		const receiver = await opening(openReceiver({ history, random: random.named("receiver"), shareOfBad: 0.3 }));
		const cacheDirectory = join(directory, "compiled");
		const settings = {
			REELMILL_DATA_DIR: disk.directory,
			REELMILL_BASE_URL: "http://127.0.0.1:1",
			REELMILL_EMBEDDED_WORKERS: "0",
			REELMILL_MASTER_KEY: "00".repeat(32),
			REELMILL_ADMIN_KEY: adminKey,
			REELMILL_CHECK_AGE_SECONDS: "1",
			REELMILL_STORAGE_LOCATIONS: locations,
			REELMILL_STORAGE_ALLOW_CIDRS: "127.0.0.0/8",
			REELMILL_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
			REELMILL_TRUSTED_PROXIES: "127.0.0.0/8",
			REELMILL_WEBHOOK_SCHEDULE_SECONDS: "0,1,1,2,2,3",
			REELMILL_LOCK_SECONDS: String(scale.windows.lock),
			REELMILL_PENDING_UPLOAD_SECONDS: String(scale.windows.pendingUpload),
			REELMILL_SWEEP_SECONDS: String(scale.windows.sweep),
			FAULTS_NAMES: names.address,
			...diskFaults?.environment,
		};
		const servers: Server[] = [];
		for (let index = 0; index < serverCount; index++) {
			const server = await opening(
				startServer(index, {
					settings,
					postgres,
					directory,
					cacheDirectory,
					random: random.named(`server ${index}`),
					disturbances,
					history,
					log,
				}),
			);
			await until(() => server.process.isUp(), `server ${index} is up`);
			servers.push(server);
		}
		await recordChanges(postgres.database);
		const { tenants, probes, account } = await makeTenants(servers[0]?.url ?? "", adminKey, {
			local: localTenants,
			inBucket: bucketTenants,
			receiver,
		});
		const common = { servers, cacheDirectory, history, patience };
		const workers = [
			...Array.from({ length: scale.workers }, (_, index) =>
				startWorker(index, { ...common, account, random: random.named(`worker ${index}`) }),
			),
			...Array.from({ length: scale.transcoders }, (_, index) =>
				startTranscoder(index, {
					...common,
					account,
					random: random.named(`transcoder ${index}`),
					directory,
					disk: workerDisk,
					log,
				}),
			),
		];
		opened.push(() => Promise.all(workers.map((worker) => worker.stop())));
		const relays = servers.map(({ clients }) => clients.url);
		const viewer = createViewer({
			history,
			random: random.named("reader"),
			askServer: createAskServer({ relays, patience, who: "viewer", way: "clients", tell: history.add }),
			serverCount,
		});
		const workerRelays = servers.map(({ workers }) => workers.url);
		const lyingWorker = createLyingWorker({
			askServer: createAskServer({ relays: workerRelays, patience, who: "liar", way: "workers", tell: history.add }),
			token: account.token,
			history,
			serverCount,
		});
		const underWay = countUnderWay(history);
		const uploaders = startUploaders(scale.uploaders, {
			...common,
			tenants,
			clip,
			random: random.named("uploads"),
			room: () => underWay() < scale.workers * 2 + scale.uploaders,
		});
		opened.push(() => uploaders.stop());
		opened.push(() => viewer.close());
		return {
			...{
				postgres,
				servers,
				workers,
				uploaders,
				receiver,
				viewer,
				storage,
				names,
				lyingWorker,
				disk,
				workerDisk,
				diskFaults,
				tenants,
				probes,
				disturbances,
				close,
			},
			clip: await readFile(clip.path),
			differences: () => readDifferences(servers[0]?.url ?? "", adminKey),
			impossible: await impossibleHere({ disk, workerDisk, diskFaults, database: postgres.primary.disk }),
		};
	} catch (error) {
		await close();
		throw error;
	}
}

async function impossibleHere({
	disk,
	workerDisk,
	diskFaults,
	database,
}: Pick<World, "disk" | "workerDisk" | "diskFaults"> & { database: SmallDisk }): Promise<Map<FaultKind, string>> {
	const hasGroups = await openMemoryGroup("none", 2 ** 30).then(
		(group) => group.close().then(() => true),
		() => false,
	);
	const all: (readonly [boolean, string, readonly FaultKind[]])[] = [
		[
			disk.canBeFilled && workerDisk.canBeFilled && database.canBeFilled,
			"no disk in memory can be mounted",
			["fill-disk", "fill-worker-disk", "fill-database-disk"],
		],
		[disk.canBeCopied, "no file system in an image can be mounted", ["cut-power"]],
		[diskFaults !== null, "there is no C compiler, or it isn't Linux", ["fail-syncs", "slow-syncs"]],
		[process.platform === "linux", "it isn't Linux", ["exhaust-descriptors"]],
		[hasGroups, "no group of processes can have a memory of its own", ["exhaust-memory"]],
	];
	return new Map(
		all.filter(([isPossible]) => !isPossible).flatMap(([, why, kinds]) => kinds.map((kind) => [kind, why] as const)),
	);
}

/** Returns a function that counts uploads that are complete and whose webhook has not come yet. */
function countUnderWay(history: History): () => number {
	const whole = new Set<string>();
	const told = new Set<string>();
	history.onEntry((entry) => {
		if (entry.kind === "finished") whole.add(entry.video);
		if (entry.kind === "received") told.add(entry.video);
	});
	return () => [...whole].filter((video) => !told.has(video)).length;
}

/** Makes a clip of half a second with ffmpeg's own generators. */
async function makeClip(path: string): Promise<{ path: string; size: number }> {
	const input = ["-f", "lavfi", "-i", "testsrc2=size=128x72:rate=10:duration=0.5"];
	await promisify(execFile)("ffmpeg", [
		"-v",
		"error",
		"-y",
		...input,
		"-c:v",
		"libx264",
		"-preset",
		"ultrafast",
		"-pix_fmt",
		"yuv420p",
		"-movflags",
		"+faststart",
		path,
	]);
	return { path, size: (await stat(path)).size };
}

/** Rejects after three minutes. */
async function until(holds: () => boolean, what: string): Promise<void> {
	const deadline = Date.now() + 180_000;
	while (!holds()) {
		if (Date.now() > deadline) throw new Error(`Three minutes went by before ${what}.`);
		await sleep(20);
	}
}

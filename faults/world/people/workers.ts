import { fork, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Told } from "../../history/entries.ts";
import type { History } from "../../history/history.ts";
import type { Random } from "../../plan/random.ts";
import type { WorkerSetup } from "../../processes/worker.ts";
import type { SmallDisk } from "../disks/small-disk.ts";
import { childEnvironment } from "../processes/child-environment.ts";
import { openClock } from "../processes/clock.ts";
import type { Server } from "../processes/servers.ts";
import { type Supervised, supervise } from "../processes/supervised.ts";
import type { Tenants } from "./tenants.ts";

const program = fileURLToPath(new URL("../../processes/worker.ts", import.meta.url));
const transcoder = fileURLToPath(new URL("../../../apps/transcoder/src/main.ts", import.meta.url));
const wrongClock = fileURLToPath(new URL("../../processes/wrong-clock.ts", import.meta.url));

type Options = {
	readonly servers: readonly Server[];
	readonly account: Tenants["account"];
	readonly cacheDirectory: string;
	readonly random: Random;
	readonly history: History;
	readonly patience: number;
};

const ready = (child: import("node:child_process").ChildProcess) =>
	new Promise<void>((resolve) => child.on("message", (message) => "ready" in (message as object) && resolve()));

/** Starts a worker that makes small outputs which name the attempt. Every second one goes on after its lock is lost. */
export function startWorker(
	index: number,
	{ servers, account, cacheDirectory, random, history, patience }: Options,
): Supervised {
	const name = `worker-${index}`;
	const relays = servers.map(({ workers }) => workers.url);
	return supervise({
		name,
		spawn() {
			const setup: WorkerSetup = {
				name,
				relays,
				patience,
				token: account.token,
				seed: random.integer(0, 2 ** 31),
				isStubborn: random.chance(0.5),
			};
			return fork(program, [JSON.stringify(setup)], {
				env: childEnvironment(cacheDirectory),
				stdio: ["ignore", "ignore", "inherit", "ipc"],
			});
		},
		ready,
		onFell: (how) => history.add({ kind: "fell", name, how }),
		pauseMilliseconds: () => random.integer(0, 500),
		onMessage: (message) => {
			if ("kind" in (message as object)) history.add(message as Told);
		},
	});
}

/** How a placed transcoder may end: well, without a server, ill (as on a full disk), or told to stop during its job. */
const placedEnds = [0, 69, 71, 143];

/**
 * Starts the real transcoder with the real ffmpeg, on a machine whose clock is an hour ahead or behind. One that is
 * placed does one job and ends, and the next one is placed.
 */
export function startTranscoder(
	index: number,
	{
		servers,
		account,
		cacheDirectory,
		random,
		history,
		directory,
		disk,
		isPlaced,
		log,
	}: Options & { directory: string; disk: SmallDisk; isPlaced: boolean; log: (text: string) => void },
): Supervised {
	const clock = openClock(directory, `transcoder-${index}`);
	return supervise({
		name: `transcoder-${index}`,
		spawn() {
			clock.step(random.pick([-3600, 3600]));
			const env = {
				...childEnvironment(cacheDirectory),
				REELMILL_API_URL: servers[random.integer(0, servers.length - 1)]?.workers.url ?? "",
				REELMILL_SERVICE_NAME: account.name,
				REELMILL_SERVICE_SECRET: account.secret,
				REELMILL_WORKDIR: join(disk.directory, `transcoder-${index}`),
				REELMILL_STORAGE_ALLOW_CIDRS: "127.0.0.0/8",
				...(isPlaced && { REELMILL_KEEP_CHUNKS: "always", REELMILL_DRAIN_SECONDS: "0" }),
				...clock.environment,
				FAULTS_ADDRESS: `10.${random.integer(0, 255)}.${random.integer(0, 255)}.${random.integer(1, 254)}`,
			};
			const child = spawn(
				process.execPath,
				["--import", wrongClock, transcoder, ...(isPlaced ? ["--once", "--idle-seconds", "5"] : [])],
				{
					env,
					stdio: ["ignore", "ignore", "pipe"],
				},
			);
			child.stderr.on("data", (text: Buffer) => log(`transcoder-${index}: ${text}`));
			return child;
		},
		ready: (child) =>
			new Promise<void>((resolve) => {
				child.stderr?.on("data", (text: Buffer) => {
					if (text.includes("transcoder started")) resolve();
				});
			}),
		onFell: (how) => history.add({ kind: "fell", name: `transcoder-${index}`, how }),
		...(isPlaced && { endsWith: placedEnds }),
		pauseMilliseconds: () => random.integer(0, 500),
	});
}

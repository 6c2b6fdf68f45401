import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openFailingDisk } from "@reelmill/fault-disk";
import { createPostgresDatabase } from "@reelmill/postgres";
import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";
import { createRandom } from "../plan/random.ts";
import { cutPower, type Loss, lossesIn } from "./cut.ts";
import { createDisturbance, disturbances } from "./disturbances.ts";
import { startBreakableServer } from "./server.ts";
import { makeTenant } from "./tenant.ts";
import { startUploader } from "./uploads.ts";

export type PowerCutOptions = {
	/** An empty folder, on a disk with room for three times `megabytes`. */
	readonly directory: string;
	readonly cuts: number;
	readonly seed: number;
	readonly uploaders?: number;
	readonly megabytes?: number;
	readonly onProgress?: (line: string) => void;
	readonly log?: (text: string) => void;
};

export type PowerCuts = {
	readonly cuts: number;
	/** How often each kind of disturbance came before a cut. */
	readonly broken: Readonly<Record<string, number>>;
	/**
	 * The uploads that were looked for in copies, how many of their videos were queued, and how many of their bytes had
	 * been acknowledged.
	 */
	readonly uploads: number;
	readonly queued: number;
	readonly bytes: number;
	readonly losses: readonly Loss[];
	/** Answers that took an offset back, or that no server may give. */
	readonly wrong: readonly string[];
};

/**
 * Runs two real servers that take real uploads on one disk. The disk fails, hangs and is slow, and servers are killed.
 * Now and then the disk is copied as a power cut would leave it, and the copy is compared with what was acknowledged.
 * The database is on another disk, so each video that it calls queued needs its bytes. Needs root.
 */
export async function runPowerCuts({
	directory,
	cuts,
	seed,
	uploaders = 6,
	megabytes = 192,
	onProgress,
	log,
}: PowerCutOptions): Promise<PowerCuts> {
	const random = createRandom(seed);
	const disk = await openFailingDisk({ directory: join(directory, "disk"), megabytes });
	await mkdir(join(directory, "postgres"));
	const postgres = await startEmbeddedPostgres({
		directory: join(directory, "postgres"),
		settings: { fsync: "off", max_connections: "60" },
	});
	const database = createPostgresDatabase({ url: postgres.url, maxConnections: 2 });
	const settings = {
		REELMILL_DATA_DIR: disk.directory,
		REELMILL_DATABASE_URL: postgres.url,
		REELMILL_EMBEDDED_WORKERS: "0",
		REELMILL_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
		REELMILL_ADMIN_KEY: "power-cuts-admin-key-of-the-tests",
		NODE_COMPILE_CACHE: join(directory, "compiled"),
	};
	const first = await startBreakableServer("server-0", settings, (text) => log?.(text));
	const servers = [first, await startBreakableServer("server-1", settings, (text) => log?.(text))] as const;
	const urls = () => servers.map((server) => server.url()).filter((url) => url !== null);
	const keys: string[] = [];
	for (let at = 0; at < uploaders; at++)
		keys.push(await makeTenant(urls()[0] as string, settings.REELMILL_ADMIN_KEY, `tenant-${at}`));
	const sending = keys.map((apiKey, at) => startUploader({ apiKey, random: random.named(`uploader ${at}`), urls }));
	const uploads = () => sending.flatMap((uploader) => [...uploader.uploads.values()]);

	const broken: Record<string, number> = {};
	const losses: Loss[] = [];
	const seen = { uploads: 0, queued: 0, bytes: 0 };
	const [copyPath, mountPath] = [join(directory, "copy.img"), join(directory, "copy")];
	try {
		// Until then no cut has anything to take.
		while (uploads().every(({ told }) => told === 0) && sending.every(({ wrong }) => wrong.length === 0))
			await sleep(20);
		for (let cut = 0; cut < cuts; cut++) {
			await sleep(random.integer(50, 400));
			const kind = disturbances[(cut + random.integer(0, 1)) % disturbances.length] ?? disturbances[0];
			const disturbance = createDisturbance(kind, { server: random.pick([...servers]), disk });
			const over = disturbance.begin();
			await sleep(random.integer(0, 300));
			const expected = await cutPower({ servers, disk, copyPath, uploads, database });
			const met = (await over) ? kind : "kill";
			broken[met] = (broken[met] ?? 0) + 1;
			await disturbance.end();
			const lost = await lossesIn(copyPath, mountPath, expected);
			losses.push(...lost);
			seen.uploads += expected.length;
			seen.queued += expected.filter(({ isQueued }) => isQueued).length;
			seen.bytes += expected.reduce((sum, { told }) => sum + told, 0);
			onProgress?.(`cut ${cut + 1}, ${met}: ${expected.length} uploads, ${lost.length} with bytes missing`);
		}
		await Promise.all(sending.map((uploader) => uploader.stop()));
	} finally {
		await Promise.all(servers.map((server) => server.close()));
		await database.close();
		await postgres.stop();
		await disk.unmount();
	}
	return { cuts, broken, ...seen, losses, wrong: sending.flatMap(({ wrong }) => wrong) };
}

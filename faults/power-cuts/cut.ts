import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type MountedImage, mountImage } from "@reelmill/fault-disk";
import type { PostgresDatabase } from "@reelmill/postgres";
import { createLocalUploadStore } from "@reelmill/storage-local";
import type { BreakableServer } from "./server.ts";
import type { SentUpload } from "./uploads.ts";

/** An upload as it was when the power was cut. */
export type Expected = Pick<SentUpload, "id" | "content" | "told"> & {
	/** Its video had left `pending_upload`. */ readonly isQueued: boolean;
};
export type Loss = { readonly id: string; readonly told: number; readonly found: number; readonly isQueued: boolean };

/**
 * Copies the disk as a power cut would leave it, and returns what was acknowledged by then. All servers stand still
 * meanwhile, so that the device doesn't change while it is copied.
 */
export async function cutPower({
	servers,
	disk,
	copyPath,
	uploads,
	database,
}: {
	servers: readonly BreakableServer[];
	disk: MountedImage;
	copyPath: string;
	uploads: () => readonly SentUpload[];
	database: PostgresDatabase;
}): Promise<Expected[]> {
	await Promise.all(servers.map((server) => server.halt()));
	try {
		// Answers and statements that were sent are still on their way.
		await sleep(30);
		const rows = await database.query<{ id: string }>({
			text: `select id from reelmill.videos
				where state not in ('pending_upload', 'expired', 'cancelled', 'failed') and deleted_at is null`,
			values: [],
		});
		const queued = new Set(rows.map(({ id }) => id));
		const expected = uploads()
			.filter(({ isOver }) => !isOver)
			.map(({ id, content, told }) => ({
				id,
				content,
				told: queued.has(id) ? content.length : told,
				isQueued: queued.has(id),
			}));
		for (let before = Number.NaN; ; ) {
			const now = await writesTo(disk.directory);
			if (now === before) return expected;
			before = now;
			await disk.copyTo(copyPath);
		}
	} finally {
		for (const server of servers) server.resume();
	}
}

/** Returns what was acknowledged and is missing in the copy. */
export async function lossesIn(copyPath: string, mountPath: string, expected: readonly Expected[]): Promise<Loss[]> {
	const copy = await mountImage(copyPath, mountPath);
	try {
		const store = createLocalUploadStore({ directory: join(copy.directory, "uploads") });
		const losses: Loss[] = [];
		for (const { id, content, told, isQueued } of expected) {
			const size = (await store.size(id)) ?? 0;
			const found = size === 0 ? 0 : await soundBytes((await store.read(id))?.bytes ?? [], content.subarray(0, told));
			if (found < told) losses.push({ id, told, found, isQueued });
		}
		return losses;
	} finally {
		await copy.unmount();
	}
}

/** Returns how many leading bytes are those of `content`. */
async function soundBytes(bytes: AsyncIterable<Uint8Array> | readonly Uint8Array[], content: Buffer): Promise<number> {
	let sound = 0;
	for await (const chunk of bytes) {
		const part = content.subarray(sound, sound + chunk.length);
		if (!part.equals(chunk.subarray(0, part.length)))
			return sound + part.findIndex((byte, index) => byte !== chunk[index]);
		sound += part.length;
		if (part.length < chunk.length) break;
	}
	return sound;
}

async function writesTo(directory: string): Promise<number> {
	const { stdout } = await promisify(execFile)("findmnt", ["-n", "-o", "SOURCE", directory]);
	const statistics = await readFile(`/sys/block/${basename(stdout.trim())}/stat`, "utf8");
	return Number(statistics.trim().split(/\s+/)[4]);
}

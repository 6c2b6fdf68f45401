import { stat } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { PostgresDatabase } from "@reelmill/postgres";
import { createLocalUploadStore } from "@reelmill/storage-local";
import type { Lost } from "../../history/entries.ts";
import { entriesOf, type History } from "../../history/history.ts";
import { type Clips, contentOf } from "../../processes/content.ts";
import type { FinalVideo } from "../observe/final-state.ts";

/** What the service acknowledged, and so must be in a copy of its disk. */
export type Acknowledged = {
	readonly uploads: ReadonlyMap<string, { readonly offset: number; readonly seed: number; readonly size: number }>;
	readonly outputs: ReadonlyMap<string, number>;
};

const waiting = `state in ('pending_upload', 'uploaded', 'queued', 'locked', 'encoding')
	and deleted_at is null and storage_profile_id is null`;
const playable = `select id, outputs from reelmill.videos
	where state = 'available' and deleted_at is null and storage_profile_id is null`;
type Playable = {
	readonly id: string;
	readonly outputs: NonNullable<FinalVideo["outputs"]>;
};

/** Returns the files of available videos, with their sizes, by key. */
export async function readPlayable(database: PostgresDatabase): Promise<Map<string, number>> {
	const rows = await database.query<Playable>({ text: playable, values: [] });
	return new Map(
		rows.flatMap(({ outputs: { prefix, files, added } }) =>
			Object.entries(files).map(([path, size]) => [(added?.[path] ?? prefix) + path, size] as const),
		),
	);
}

/** Returns the highest acknowledged offset of each upload. */
export function readAcknowledged(history: History): Acknowledged["uploads"] {
	const offsets = new Map<string, number>();
	for (const { video, offset } of entriesOf(history.entries, "acknowledged"))
		offsets.set(video, Math.max(offset, offsets.get(video) ?? 0));
	return new Map(
		entriesOf(history.entries, "initiated").map(({ video, seed, size }) => [
			video,
			{ offset: offsets.get(video) ?? 0, seed, size },
		]),
	);
}

/**
 * Returns what is missing in a copy of the disk. An upload or output that the database no longer lists isn't looked
 * for.
 */
export async function missingOf(
	{ uploads, outputs }: Acknowledged,
	{
		database,
		directory,
		clips,
	}: { readonly database: PostgresDatabase; readonly directory: string; readonly clips: Clips },
): Promise<{
	readonly checked: { readonly uploads: number; readonly bytes: number; readonly outputs: number };
	readonly lost: readonly Lost[];
}> {
	const lost: Lost[] = [];
	const store = createLocalUploadStore({ directory: join(directory, "uploads") });
	const checked = { uploads: 0, bytes: 0, outputs: 0 };
	for (const { id } of await database.query<{ id: string }>({
		text: `select id from reelmill.videos where ${waiting}`,
		values: [],
	})) {
		const upload = uploads.get(id);
		if (!upload || upload.offset === 0) continue;
		const wanted = contentOf(clips, upload.seed, upload.size).bytes.subarray(0, upload.offset);
		// This is how a server that starts on the copy would see the upload.
		const told = (await store.size(id)) ?? 0;
		const read = told < upload.offset ? null : await store.read(id);
		checked.uploads++;
		checked.bytes += upload.offset;
		if (read === null) lost.push({ key: id, acknowledged: upload.offset, found: `${told} bytes` });
		else if (!(await buffer(read.bytes)).subarray(0, upload.offset).equals(wanted))
			lost.push({ key: id, acknowledged: upload.offset, found: "other bytes" });
	}
	const still = await readPlayable(database);
	for (const [key, size] of outputs) {
		if (!still.has(key)) continue;
		const found = await stat(join(directory, "outputs", key)).catch(() => null);
		checked.outputs++;
		if (found?.size !== size) lost.push({ key, acknowledged: size, found: found ? `${found.size} bytes` : "nothing" });
	}
	return { checked, lost };
}

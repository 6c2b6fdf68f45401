import sql from "sql-template-tag";
import type { Database, Logger, ObjectStorage, UploadStore } from "../ports/index.ts";
import type { Discard } from "../videos/index.ts";

export type Reaper = {
	/** Deletes the bytes of these now. What fails stays noted and is tried again by `sweep`; it never rejects. */
	reap(discards: readonly Discard[]): Promise<void>;
	/** Deletes what earlier changes noted and nobody deleted yet, and answers how many notes it settled. */
	sweep(): Promise<number>;
};

/** Deletes bytes that a committed change has made useless. Done twice, or by two servers at once, is fine. */
export function createReaper({
	database,
	uploads,
	outputs,
	logger,
}: {
	database: Database;
	uploads: UploadStore;
	outputs: ObjectStorage;
	logger: Logger;
}): Reaper {
	const remove = async ({ kind, reference }: Discard): Promise<boolean> => {
		try {
			await (kind === "upload" ? uploads.discard(reference) : outputs.deletePrefix(reference));
			await database.query(sql`delete from reelmill.deletions where kind = ${kind} and reference = ${reference}`);
			return true;
		} catch (error) {
			logger.warn({ error, kind, reference }, "bytes could not be deleted yet");
			return false;
		}
	};
	return {
		async reap(discards) {
			for (const discard of discards) await remove(discard);
		},
		async sweep() {
			const notes = await database.query<Discard>(sql`select distinct kind, reference from reelmill.deletions limit 200`);
			let settled = 0;
			for (const note of notes) if (await remove(note)) settled++;
			return settled;
		},
	};
}

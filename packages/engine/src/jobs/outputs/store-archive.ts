import { isReelmillError } from "@reelmill/contracts";
import type { Sql } from "sql-template-tag";
import type { Stores } from "../../storage/index.ts";
import type { Parts } from "../../system/index.ts";
import { type Discard, hastenDiscard, noteDiscard, unnotePart } from "../../videos/index.ts";
import type { ArchiveEntries } from "../job-operations.ts";
import { storeFiles } from "./outputs.ts";

/** The folder of an archive, which nothing else uses, and where it is stored. */
export type ArchivePlace = {
	readonly prefix: string;
	readonly profileId: string | null;
	/** Whether the sums of the files are stored beside them (default: false). */
	readonly keepsSums?: boolean;
};

/**
 * Stores an archive in its folder, then calls `name`, whose statement makes the archive the attempt's. The folder is
 * noted for deletion before its first byte comes. The statement takes that note back by `unnoted`, a part that goes
 * after its part `named`. So whenever a server is killed, what it stored is named, or will be deleted. If anything
 * fails, what was stored is removed, and the error is thrown after a short wait at the latest.
 */
export type StoreArchive = <T>(
	place: ArchivePlace,
	entries: ArchiveEntries,
	name: (unnoted: Sql) => Promise<T>,
) => Promise<T>;

/** Longer than an archive takes to arrive. What a killed server left of one is deleted after it. */
const arrivalSeconds = 86_400;
const removalMilliseconds = 2000;
/** The wait for a storage that fails: its caller has waited for it already. */
const noteMilliseconds = 500;

export function createStoreArchive(
	{ database, clock, logger }: Parts,
	{
		stores,
		reap,
		wait,
	}: {
		stores: Stores;
		/** Deletes bytes if that is possible now; it never rejects. */
		reap: (discards: readonly Discard[], profileId: string | null) => Promise<void>;
		/** Runs work, and waits for it at most so many milliseconds. */
		wait: (work: () => Promise<void>, milliseconds: number) => Promise<void>;
	},
): StoreArchive {
	/** Removes the archive, unless it was named although its caller was told otherwise. */
	const discard = async (archive: Discard, profileId: string | null): Promise<void> => {
		try {
			const noted = await database.query(hastenDiscard(archive, profileId, new Date(clock.now())));
			if (noted.length > 0) await reap([archive], profileId);
		} catch (error) {
			logger.warn({ error, prefix: archive.reference }, "what an archive left is deleted later");
		}
	};
	return async ({ prefix, profileId, keepsSums = false }, entries, name) => {
		const archive: Discard = { kind: "outputs", reference: prefix };
		const { outputs } = await stores.of(profileId);
		const later = { ...archive, laterSeconds: arrivalSeconds };
		await database.query(noteDiscard(later, profileId, new Date(clock.now())));
		try {
			await storeFiles(outputs, prefix, entries, { keepsSums });
			return await name(unnotePart(archive, profileId));
		} catch (error) {
			const isSilent = isReelmillError(error, "storage_unavailable");
			await wait(() => discard(archive, profileId), isSilent ? noteMilliseconds : removalMilliseconds);
			throw error;
		}
	};
}

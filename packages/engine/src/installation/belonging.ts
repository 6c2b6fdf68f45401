import sql from "sql-template-tag";
import type { StorageMark } from "../ports/index.ts";
import type { Parts } from "../system/index.ts";
import { hasTable } from "./has-table.ts";
import { InstallationError } from "./installation-error.ts";

/** Whether the storage given is the one that the installation's files lie in. */
export type Belonging = {
	/**
	 * Throws an InstallationError if files of the installation lie in another storage. The storage gets a mark if it has
	 * none; it becomes the installation's if nothing lies in the one before.
	 */
	check(): Promise<void>;
	/** What the last look found, within two minutes; null before the first one. */
	known(): boolean | null;
	/**
	 * Looks. If there is none yet, `isFirst` makes this storage the installation's; without it nothing lies anywhere, and
	 * any will do. False, and told to the operator once a minute, if another one is the installation's.
	 */
	look(isFirst?: boolean): Promise<boolean>;
	/**
	 * Each minute: looks again if the storage was in use. It may have been taken away, or the database brought back from
	 * a backup.
	 */
	work(): Promise<boolean>;
};

/** Something lies there that can't be done without: raw uploads, also those under way, or outputs. */
const isInUse = sql`exists (
	select from reelmill.videos v where v.storage_profile_id is null and v.deleted_at is null and v.state not in ('expired', 'cancelled'))`;

export function createBelonging(
	{ database, clock, random, logger }: Parts,
	{ mark }: { mark: StorageMark },
): Belonging {
	let known: boolean | null = null;
	let isTold = false;

	const read = async (): Promise<string | null> => {
		const [row] = await database.query<{ mark: string }>(sql`select mark from reelmill.local_storage`);
		return row?.mark ?? null;
	};
	/** Of several that note theirs at once, one wins, and all find it. */
	const note = async (found: string): Promise<string | null> => {
		await database.query(
			sql`insert into reelmill.local_storage (mark, noted_at) values (${found}, ${new Date(clock.now())}) on conflict do nothing`,
		);
		return read();
	};
	const look = async (isFirst = false): Promise<boolean> => {
		const found = await mark.read();
		const before = await read();
		if (before === null && !isFirst) return found !== null;
		const noted = before ?? (found === null ? null : await note(found));
		known = found !== null && noted === found;
		if (!known && !isTold)
			logger.error(
				{ noted, found },
				"the local storage is not the one that this installation's files lie in: nothing is read or written there",
			);
		isTold = !known;
		return known;
	};

	return {
		known: () => known,
		look,
		async work() {
			isTold = false;
			if (known !== null) await look();
			return false;
		},
		async check() {
			const wanted = (await hasTable(database, "reelmill.local_storage")) ? await read() : null;
			const found = await mark.read();
			if (wanted !== null && wanted !== found) {
				const [unused] = await database.query(
					sql`delete from reelmill.local_storage where mark = ${wanted} and not ${isInUse} returning mark`,
				);
				if (!unused) throw new InstallationError({ what: "storage", noted: wanted, found });
			}
			if (found === null) await mark.keep(random.uuid());
		},
	};
}

import sql from "sql-template-tag";
import type { StorageMark } from "../ports/index.ts";
import type { Parts } from "../system/index.ts";
import { hasTable } from "./has-table.ts";
import { InstallationError } from "./installation-error.ts";

/** Binds the installation to the local storage that its files lie in. */
export type StorageBinding = {
	/**
	 * Checks that the storage is the installation's. A storage without a mark gets one. It becomes the installation's if
	 * nothing lies in the storage before.
	 *
	 * @throws {InstallationError} when files of the installation lie in another storage.
	 */
	check(): Promise<void>;
	/** Returns what the last look found, at most two minutes ago; `null` before the first look. */
	known(): boolean | null;
	/**
	 * Looks whether the storage is the installation's. If it is not, it returns false and tells the operator once a
	 * minute. If the installation has no storage yet, `isFirst` makes this one the installation's; without `isFirst` any
	 * storage will do, since nothing lies anywhere.
	 */
	look(isFirst?: boolean): Promise<boolean>;
	/**
	 * Looks again, each minute, if the storage was in use: it may have been taken away, or the database restored from a
	 * backup. Returns false.
	 */
	work(): Promise<boolean>;
};

/** Something lies there that is needed: raw uploads, also those under way, or outputs. */
const isInUse = sql`exists (
	select from reelmill.videos v where v.storage_profile_id is null and v.deleted_at is null and v.state not in ('expired', 'cancelled'))`;

export function createStorageBinding(
	{ database, clock, random, logger }: Parts,
	{ mark }: { mark: StorageMark },
): StorageBinding {
	let known: boolean | null = null;
	let isTold = false;

	const read = async (): Promise<string | null> => {
		const [row] = await database.query<{ mark: string }>(sql`select mark from reelmill.local_storage`);
		return row?.mark ?? null;
	};
	/** Notes the mark. If several are noted at once, one wins and all find it. */
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

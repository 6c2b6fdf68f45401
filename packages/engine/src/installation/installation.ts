import type { ByteStores, Migration, StorageMark } from "../ports/index.ts";
import type { Parts } from "../system/index.ts";
import { guardStores } from "./guarded-stores.ts";
import { createOtherServers } from "./other-servers.ts";
import { checkSchema, noting } from "./schema.ts";
import { createStorageBinding } from "./storage-binding.ts";

/** What database, master key and local storage have to belong to. */
export type Installation = {
	/** The local storage. Nothing is read or written there while it is not the installation's. */
	readonly local: ByteStores;
	/**
	 * Checks that schema, master key and local storage belong together, then brings the schema up to date.
	 *
	 * @throws {InstallationError} when one of them is not the installation's; then nothing has changed.
	 */
	prepare(migrations: readonly Migration[]): Promise<void>;
	/** Returns whether the local storage is the installation's, as last looked; null before the first look. */
	isOwnStorage(): boolean | null;
	/**
	 * Looks for servers with another local storage. The domains have to be there, so it comes after `prepare`.
	 */
	lookAround(): Promise<void>;
	/**
	 * Looks again, each minute, whether the local storage is the installation's, and for servers with another one.
	 * Returns false.
	 */
	work(): Promise<boolean>;
};

/** Assembles what keeps foreign parts out. */
export function createInstallation(
	parts: Parts,
	{
		local,
		storageMark: mark,
		masterKeys,
		version,
	}: {
		local: ByteStores;
		/** Without it, any local storage will do. */
		storageMark: StorageMark | undefined;
		masterKeys: { check(): Promise<void>; takeTurn(): Promise<void> };
		/** This release, noted beside each migration. */
		version: string;
	},
): Installation {
	const { database } = parts;
	const binding = mark && createStorageBinding(parts, { mark });
	const others = mark && createOtherServers(parts, { mark });
	return {
		local: binding ? guardStores(local, binding) : local,
		async prepare(migrations) {
			const noted = migrations.map((migration) => noting(migration, version));
			await checkSchema(database, noted);
			await masterKeys.check();
			await binding?.check();
			await database.migrate(noted);
			await masterKeys.takeTurn();
		},
		isOwnStorage: () => (binding ? binding.known() : null),
		lookAround: async () => others?.look(),
		async work() {
			await others?.look();
			return (await binding?.work()) ?? false;
		},
	};
}

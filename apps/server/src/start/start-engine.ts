import { join } from "node:path";
import {
	type Database,
	type Engine,
	type InstallationError,
	isInstallationError,
	type Mismatch,
	masterKeyInForce,
} from "@reelmill/engine";
import { StartError } from "@reelmill/settings";
import { fileExists } from "../data-directory/file-exists.ts";
import { version } from "../version.ts";

type Settings = { readonly DATA_DIR: string; readonly DATABASE_URL: string | undefined };

/**
 * Checks that this start may make a master key.
 *
 * @throws {StartError} when the database was already used with another one.
 */
export async function refuseSecondMasterKey(database: Database, { DATA_DIR }: Settings): Promise<void> {
	const file = join(DATA_DIR, "master.key");
	// The order matters if two first servers share the directory: the server whose key is in force has written it before.
	const inForce = await masterKeyInForce(database);
	if (inForce !== null && !(await fileExists(file)))
		throw new StartError(
			`REELMILL_MASTER_KEY is not set and there is no ${file}, ` +
				`but the database has secrets under a key with the fingerprint ${inForce}: set that key.`,
		);
}

/**
 * Starts the engine.
 *
 * @throws {StartError} when schema, master key or data directory do not belong to the database; the message names the
 * setting.
 */
export async function startEngine(engine: Engine, settings: Settings): Promise<void> {
	try {
		await engine.start();
	} catch (error) {
		throw isInstallationError(error) ? refusal(error, settings) : error;
	}
}

function refusal(cause: InstallationError, settings: Settings): StartError {
	return new StartError(sentence(cause.mismatch, settings), { cause });
}

function sentence(mismatch: Mismatch, { DATA_DIR, DATABASE_URL }: Settings): string {
	const otherwise =
		DATABASE_URL === undefined
			? "set REELMILL_DATA_DIR to another directory"
			: "set REELMILL_DATABASE_URL to another database";
	switch (mismatch.what) {
		case "schema":
			return (
				`The database has the schema ${mismatch.newest} of Reelmill ${mismatch.release}, ` +
				`and this is Reelmill ${version}, which knows ${mismatch.known} at most: ` +
				`start ${mismatch.release} or a later version, or ${otherwise}.`
			);
		case "unreleased_schema":
			return (
				"The database was made by a version of before the first release, and no migration begins there: " +
				`${otherwise}, and upload the videos anew (the version that made it still plays them).`
			);
		case "master_key":
			return (
				`REELMILL_MASTER_KEY (without it ${join(DATA_DIR, "master.key")}) has the fingerprint ${mismatch.given}, ` +
				`but this database's secrets are sealed under ${mismatch.inForce}: set that key, ` +
				"or name it in REELMILL_MASTER_KEY_PREVIOUS to change it (docs/guides/master-key.md); " +
				`if it is lost, set REELMILL_MASTER_KEY_LOST=${mismatch.inForce}.`
			);
		case "storage": {
			const file = join(DATA_DIR, "storage.id");
			const found = mismatch.found === null ? `there is no ${file}` : `${file} holds ${mismatch.found}`;
			return (
				"REELMILL_DATA_DIR is not the directory that this database's uploads and outputs lie in: " +
				`its storage.id holds ${mismatch.noted}, and ${found}; set it to that directory, mount it, ` +
				`or, where the files were moved or are lost, write ${mismatch.noted} into ${file}.`
			);
		}
	}
}

import sql, { type Sql } from "sql-template-tag";
import { hasTable, InstallationError } from "../installation/index.ts";
import type { Database } from "../ports/index.ts";
import type { Parts } from "../system/index.ts";
import { deriveKey, type KeyRing } from "./derived-keys.ts";

/** Which master keys the servers of this installation use, and when they last did. */
export type MasterKeys = {
	/**
	 * Checks that this server has the key that secrets are sealed under. On an empty database any key will do.
	 *
	 * @throws {InstallationError} when it has not.
	 */
	check(): Promise<void>;
	/**
	 * Makes the current key the one that secrets are to be sealed under, on all servers. Of two first servers with
	 * different keys, one starts.
	 *
	 * @throws {InstallationError} as `check` does; then nothing has changed.
	 */
	takeTurn(): Promise<void>;
	/** Notes that this server signs with the current key. */
	noteUse(): Promise<void>;
	/**
	 * Notes that these of the previous keys, by their places among them, were in use until now, if nothing is known of
	 * them: a server of an earlier version used them.
	 */
	noteFormer(previous: readonly number[]): Promise<void>;
	/**
	 * Returns when a server last signed with each of the previous keys; `null` for a key that no server ever signed with,
	 * such as the next one.
	 */
	previousUses(): Promise<readonly (Date | null)[]>;
	/** A condition of SQL: no server has started with another key since one started with the current key. */
	readonly isNewest: Sql;
};

const fingerprintBytes = 16;
const hexadecimal = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/**
 * Returns the fingerprint, in hexadecimal, of the key that secrets are sealed under; `null` if no server ever started
 * on this database.
 *
 * @example
 * ```ts
 * import { type Database, masterKeyInForce } from "@reelmill/engine";
 *
 * // Use `createPostgresDatabase` of `@reelmill/postgres` in its place.
 * const emptyDatabase: Database = { query: async () => [], migrate: async () => undefined };
 * console.log(await masterKeyInForce(emptyDatabase)); // => null
 * ```
 */
export async function masterKeyInForce(database: Database): Promise<string | null> {
	if (!(await hasTable(database, "reelmill.master_keys"))) return null;
	const [row] = await database.query<{ fingerprint: Uint8Array }>(
		sql`select fingerprint from reelmill.master_keys order by turn desc limit 1`,
	);
	return row ? hexadecimal(row.fingerprint) : null;
}

export function createMasterKeys(
	{ database, clock }: Parts,
	{
		keys,
		lost,
	}: {
		keys: KeyRing;
		/** The fingerprint of a key that nobody has any more: another one may take its place. */
		lost: string | undefined;
	},
): MasterKeys {
	const [current, ...previous] = keys.map((key) => deriveKey(key, "fingerprint").subarray(0, fingerprintBytes)) as [
		Uint8Array,
		...Uint8Array[],
	];
	const known = [current, ...previous, ...(lost === undefined ? [] : [Buffer.from(lost, "hex")])];
	const refuse = (inForce: string): never => {
		throw new InstallationError({ what: "master_key", inForce, given: hexadecimal(current) });
	};
	const now = () => new Date(clock.now());
	const nextTurn = sql`nextval('reelmill.master_key_turns')`;

	return {
		async check() {
			const inForce = await masterKeyInForce(database);
			if (inForce !== null && !known.some((fingerprint) => hexadecimal(fingerprint) === inForce)) refuse(inForce);
		},
		async takeTurn() {
			const [row] = await database.query<{ other: Uint8Array | null }>(
				sql`select reelmill.take_master_key_turn(${current}::bytea, ${known}::bytea[], ${now()}::timestamptz) as other`,
			);
			if (row?.other) refuse(hexadecimal(row.other));
		},
		async noteUse() {
			await database.query(sql`
				insert into reelmill.master_keys as k (fingerprint, turn, used_at) values (${current}, ${nextTurn}, ${now()})
				on conflict (fingerprint) do update set used_at = greatest(k.used_at, excluded.used_at)`);
		},
		async noteFormer(places) {
			const former = places.map((place) => previous[place]);
			await database.query(sql`
				insert into reelmill.master_keys (fingerprint, turn, used_at) select f, 0, ${now()}::timestamptz from unnest(${former}::bytea[]) f
				on conflict (fingerprint) do nothing`);
		},
		async previousUses() {
			const rows = await database.query<{ fingerprint: Uint8Array; used_at: Date }>(
				sql`select fingerprint, used_at from reelmill.master_keys where fingerprint = any(${previous}::bytea[])`,
			);
			return previous.map(
				(fingerprint) => rows.find((row) => Buffer.compare(row.fingerprint, fingerprint) === 0)?.used_at ?? null,
			);
		},
		isNewest: sql`not exists (
			select from reelmill.master_keys other, reelmill.master_keys mine where mine.fingerprint = ${current} and other.turn > mine.turn)`,
	};
}

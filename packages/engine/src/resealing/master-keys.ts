import sql, { type Sql } from "sql-template-tag";
import type { Clock, Database } from "../ports/index.ts";
import { deriveKey, type KeyRing } from "../secrets/index.ts";

/** Which master keys servers of this installation use, and when they last did. */
export type MasterKeys = {
	/** Makes the current key the one that secrets are to be sealed under, on all servers. */
	takeTurn(): Promise<void>;
	/** Notes that this server signs with the current key. */
	noteUse(): Promise<void>;
	/** Notes that these of the previous keys, by their places among them, were in use until now, where nothing is known of them: a server of an earlier version used them. */
	noteFormer(previous: readonly number[]): Promise<void>;
	/** When a server last signed with each of the previous keys; null for one that none ever did, such as the next. */
	previousUses(): Promise<readonly (Date | null)[]>;
	/** A condition of SQL: no server started with another key since one did with the current one. */
	readonly isNewest: Sql;
};

const fingerprintBytes = 16;

export function createMasterKeys({ database, clock, keys }: { database: Database; clock: Clock; keys: KeyRing }): MasterKeys {
	const [current, ...previous] = keys.map((key) => deriveKey(key, "fingerprint").subarray(0, fingerprintBytes)) as [Uint8Array, ...Uint8Array[]];
	const now = () => new Date(clock.now());
	const nextTurn = sql`nextval('reelmill.master_key_turns')`;

	return {
		async takeTurn() {
			await database.query(sql`
				insert into reelmill.master_keys as k (fingerprint, turn, used_at) values (${current}, ${nextTurn}, ${now()})
				on conflict (fingerprint) do update set turn = excluded.turn, used_at = greatest(k.used_at, excluded.used_at)`);
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
			return previous.map((fingerprint) => rows.find((row) => Buffer.compare(row.fingerprint, fingerprint) === 0)?.used_at ?? null);
		},
		isNewest: sql`not exists (
			select from reelmill.master_keys other, reelmill.master_keys mine where mine.fingerprint = ${current} and other.turn > mine.turn)`,
	};
}

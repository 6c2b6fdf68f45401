import { raw } from "sql-template-tag";

/**
 * All columns that hold text of the sealer, each in a table with the primary key `id`. After a change of the master
 * key, text in other columns can't be read any more.
 */
export const sealedColumns = [
	{ table: raw("reelmill.domains"), column: raw("webhook_secret") },
	{ table: raw("reelmill.domains"), column: raw("previous_webhook_secret") },
	{ table: raw("reelmill.storage_profiles"), column: raw("secret") },
	{ table: raw("reelmill.imports"), column: raw("url") },
] as const;
export type SealedColumn = (typeof sealedColumns)[number];

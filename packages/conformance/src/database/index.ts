import type { Case } from "../case.ts";
import { connectionCases } from "./connections.ts";
import { migrationCases } from "./migrations.ts";
import type { DatabaseSubject } from "./subject.ts";
import { transactionCases } from "./transactions.ts";
import { valueCases } from "./values.ts";

/** The promises of every adapter of the Database port. */
export const databaseCases: readonly Case<DatabaseSubject>[] = [
	...valueCases,
	...transactionCases,
	...migrationCases,
	...connectionCases,
];

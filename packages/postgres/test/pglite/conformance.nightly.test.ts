import { PGlite } from "@electric-sql/pglite";
import { conforms, databaseCases } from "@reelmill/conformance";
import { createPgliteDatabase } from "@reelmill/postgres/pglite";
import { afterAll, describe, expect, it } from "vitest";

/** What only a server with several sessions can promise. */
const ofSeveralSessions = [
	"rejects a statement whose connection was ended, with an unknown outcome, and takes the next",
	"settles all statements when all connections are ended under them, and takes the next at once",
];
const cases = databaseCases.filter(({ name }) => !ofSeveralSessions.includes(name));

const pglite = await PGlite.create();
afterAll(() => pglite.close());

/** One PGlite serves all cases: it is emptied before each. */
async function open() {
	await pglite.exec("drop schema if exists reelmill cascade; drop schema public cascade; create schema public");
	return {
		subject: { database: createPgliteDatabase(pglite), elsewhere: createPgliteDatabase(pglite) },
		async close() {},
	};
}

conforms("PGlite", cases, open, { describe, it });

it("leaves out two cases alone", () => {
	expect(databaseCases.length - cases.length).toBe(2);
});

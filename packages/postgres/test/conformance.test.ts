import { conforms, databaseCases } from "@reelmill/conformance";
import { createPostgresDatabase } from "@reelmill/postgres";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { describe, it } from "vitest";

async function open() {
	const test = await openTestDatabase({ serverUrl: process.env.REELMILL_TEST_DATABASE_URL });
	const elsewhere = createPostgresDatabase({ url: test.url, statementTimeoutMilliseconds: 120_000 });
	return {
		subject: { database: test.database, elsewhere },
		async close() {
			await elsewhere.close();
			await test.close();
		},
	};
}

conforms("PostgreSQL", databaseCases, open, { describe, it });

import { openTestDatabase } from "@reelmill/postgres/testing";
import { provesExamples } from "../../../scripts/examples/proves-examples.ts";

provesExamples("engine", async () => {
	const { url, close } = await openTestDatabase({ serverUrl: process.env.REELMILL_TEST_DATABASE_URL });
	return { replace: { "postgres://localhost/reelmill": url }, close };
});

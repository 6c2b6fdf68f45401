import { writeFileSync } from "node:fs";
import { costsOfAll } from "./all.ts";
import { withMeasured } from "./costs.ts";
import { costsFile, isNightly } from "./runs.mjs";
import { openMeter, printSpent } from "./spent.ts";
import { runTests } from "./test-run.ts";

/**
 * Runs the tests of `npm test` (or those that match the filters), and writes what each cost into costs.json, with what
 * the last `npm run test:all` found that the nightly ones cost. A file that is measured alone also pays for what it
 * loads, which the files of a whole run share.
 *
 * @throws {Error} where CPU can't be measured
 */
export async function measureTests(filters: readonly string[]): Promise<boolean> {
	const meter = openMeter();
	try {
		const { passed, failures } = await runTests([...filters], {
			environment: { REELMILL_TEST_RUN: filters.length > 0 ? "all" : "daily" },
		});
		const spent = await meter.read();
		printSpent(spent);
		if (!spent) throw new Error("The costs of tests can be measured on Linux, as root.");
		const nightly = costsOfAll().filter(([file]) => isNightly(file));
		writeFileSync(costsFile, `${JSON.stringify(withMeasured([...nightly, ...spent]), null, "\t")}\n`);
		console.log(`\n${passed} passed, ${failures.length} failed. scripts/test/costs.json has what each file cost.`);
		return failures.length === 0;
	} finally {
		meter.close();
	}
}

import { readdir, readFile } from "node:fs/promises";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { expect, it } from "vitest";

const folder = new URL("../schema/functions/", import.meta.url);

it("has each of its functions in a file of its own, whose body names only what there is", async () => {
	const { database, close } = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	try {
		const names = async () =>
			(
				await database.query<{ name: string }>({
					text: "select proname::text as name from pg_proc where pronamespace = 'reelmill'::regnamespace order by proname collate \"C\"",
					values: [],
				})
			).map(({ name }) => name);
		const files = (await readdir(folder)).toSorted();
		expect(await names()).toEqual(files.map((file) => file.replace(/\.sql$/, "").replaceAll("-", "_")).toSorted());
		// PostgreSQL checks the bodies now, and refuses a second statement.
		for (const file of files) await database.query({ text: await readFile(new URL(file, folder), "utf8"), values: [] });
		expect(await names()).toHaveLength(files.length);
	} finally {
		await close();
	}
});

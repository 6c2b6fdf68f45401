import { expect, it } from "vitest";
import { acts } from "./acts.ts";
import { sitesOfStatements } from "./sites.ts";
import { type Unreached, unreached } from "./unreached.ts";
import { openWorld } from "./world.ts";

it("some act sends each statement of the engine, but those that are listed with a reason", async () => {
	const reached = new Set<string>();
	const opened = await openWorld();
	try {
		for (const act of Object.values(acts)) {
			const world = await opened.begin();
			opened.database.watch();
			await act(world);
			for (const { place } of opened.database.sent.values()) reached.add(place);
		}
	} finally {
		await opened.close();
	}
	const missing = [...(await sitesOfStatements())].filter(([place]) => !reached.has(place));
	const isListed = ([place, text]: [string, string], { at, sends }: Unreached) =>
		place.startsWith(at) && (sends === undefined || text.includes(sends));
	expect(missing.filter((site) => !unreached.some((listed) => isListed(site, listed)))).toEqual([]);
	expect(unreached.filter((listed) => !missing.some((site) => isListed(site, listed)))).toEqual([]);
});

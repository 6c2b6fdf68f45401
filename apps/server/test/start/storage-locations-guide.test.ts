import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readStorageLocations } from "../../src/start/storage-locations.ts";

it("takes the file of locations that the guide shows, whose table has every field", async () => {
	const guide = await readFile(new URL("../../../../docs/guides/storage-profiles.md", import.meta.url), "utf8");
	const [, json = ""] = /^```json\n(.*?)^```$/ms.exec(guide) ?? [];
	const directory = await mkdtemp(join(tmpdir(), "reelmill-guide-"));
	try {
		const path = join(directory, "locations.json");
		await writeFile(path, json);
		const locations = await readStorageLocations(path);
		expect(locations.map(({ id, bucket }) => [id, bucket.endpoint])).toEqual([
			["eu", null],
			["own-rack", "http://rgw.internal:7480"],
		]);
		expect(locations[1]?.bucket.publicEndpoint).toBe("https://s3.example.com");
	} finally {
		await rm(directory, { recursive: true });
	}
	const table = guide.slice(guide.indexOf("| Field | Needed |"));
	for (const field of Object.keys(Object.assign({}, ...JSON.parse(json)))) expect(table).toContain(`\`${field}\``);
});

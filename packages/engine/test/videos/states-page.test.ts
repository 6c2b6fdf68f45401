import { readFile } from "node:fs/promises";
import { moves } from "@reelmill/engine";
import { expect, it } from "vitest";

it("the page on the life of a video draws the machine's table", async () => {
	const page = await readFile(new URL("../../../../docs/video-states.md", import.meta.url), "utf8");
	const drawn = [...page.matchAll(/^\t(\w+) --> (\w+): (\w+)$/gm)].map(
		([, from, to, command]) => `${from} ${command} ${to}`,
	);
	const table = Object.entries(moves).flatMap(([from, row]) =>
		Object.entries(row).map(([command, to]) => `${from} ${command} ${to}`),
	);
	expect(drawn).toEqual(table);
	for (const command of new Set(Object.values(moves).flatMap((row) => Object.keys(row))))
		expect(page).toContain(`| ${command} |`);
});

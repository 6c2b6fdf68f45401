import { readFile } from "node:fs/promises";
import { differences } from "@reelmill/contracts";
import { expect, it } from "vitest";

it("has the guide's table of what can differ", async () => {
	const guide = await readFile(new URL("../../../docs/guides/check.md", import.meta.url), "utf8");
	const rows = [...guide.matchAll(/^\| `([a-z_]+)` \| (.+) \| (.+) \| (.+) \|$/gm)].map((row) => row.slice(1));
	const option = (mendedBy: string | null) =>
		mendedBy === null ? "nothing" : `\`--${mendedBy.replaceAll("_", "-")}\``;
	expect(rows).toEqual(
		Object.entries(differences).map(([kind, { says, mendedBy, mend }]) => [kind, says, option(mendedBy), mend]),
	);
});

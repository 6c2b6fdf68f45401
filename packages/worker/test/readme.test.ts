import { readFile } from "node:fs/promises";
import { expect, it, vi } from "vitest";

it("shows an example in the README that runs as it stands", async () => {
	const [readme, example] = await Promise.all(
		["../README.md", "./support/readme-example.ts"].map((file) => readFile(new URL(file, import.meta.url), "utf8")),
	);
	expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
	// No server answers in this test, or one that does not know the account: it says so, and stops all the same.
	const said = vi.spyOn(console, "warn").mockImplementation(() => {});
	await import("./support/readme-example.ts");
	expect(said.mock.calls.map(([, message]) => message)).toContain("jobs can't be claimed; trying again");
	said.mockRestore();
});

import { readFile } from "node:fs/promises";
import { expect, it, vi } from "vitest";

it("shows an example in the README that runs as it stands", async () => {
	const [readme, example] = await Promise.all(
		["../README.md", "./support/readme-example.ts"].map((file) => readFile(new URL(file, import.meta.url), "utf8")),
	);
	expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
	const said = vi.spyOn(console, "log").mockImplementation(() => {});
	await import("./support/readme-example.ts");
	expect(said.mock.calls.at(-1)?.[0]).toContain("hls/master.m3u8");
	said.mockRestore();
});

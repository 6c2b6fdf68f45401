import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("shows an example in the README that runs as it stands", async () => {
	const example = fileURLToPath(new URL("./readme-example.ts", import.meta.url));
	const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
	expect(readme).toContain(`\`\`\`ts\n${await readFile(example, "utf8")}\`\`\``);
	const { stdout } = await promisify(execFile)(process.execPath, [example]);
	expect(stdout).toBe(
		"8787 north\n  MILL_PORT (8787)\n      The port to listen on.\n  MILL_NAME (required)\n      The program's name.\n",
	);
});

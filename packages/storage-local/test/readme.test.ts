import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("shows an example in the README that runs as it stands", async () => {
	const example = fileURLToPath(new URL("./readme-example.ts", import.meta.url));
	const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
	expect(readme).toContain(`\`\`\`ts\n${await readFile(example, "utf8")}\`\`\``);
	const cwd = await mkdtemp(join(tmpdir(), "reelmill-readme-"));
	try {
		const { stdout } = await promisify(execFile)(process.execPath, [example], { cwd });
		expect(stdout).toBe("26 26\n");
	} finally {
		await rm(cwd, { recursive: true, force: true });
	}
});

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, expect, it } from "vitest";
import { Undo } from "./support/undo.ts";

const undo = new Undo();
afterEach(() => undo.run());

it("shows an example in the README that runs as it stands", async () => {
	const example = fileURLToPath(new URL("./readme-example.ts", import.meta.url));
	const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
	expect(readme).toContain(`\`\`\`ts\n${await readFile(example, "utf8")}\`\`\``);
	const { stdout } = await promisify(execFile)(process.execPath, [example], { cwd: await undo.directory() });
	expect(stdout).toBe("[ { body: { title: 'hello' } } ]\n");
});

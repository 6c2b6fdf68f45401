import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const example = new URL("support/readme-example.ts", import.meta.url);

it("shows an example in the README that runs as it stands", async () => {
	const [readme, text] = await Promise.all(
		[new URL("../README.md", import.meta.url), example].map((file) => readFile(file, "utf8")),
	);
	expect(readme).toContain(`\`\`\`ts\n${text}\`\`\``);
	const program = spawn(process.execPath, [fileURLToPath(example)], { stdio: ["ignore", "pipe", "pipe"] });
	let output = "";
	for (const stream of [program.stdout, program.stderr])
		stream.on("data", (bytes: Buffer) => {
			output += bytes.toString();
		});
	const ended = once(program, "exit");
	try {
		// No server answers here, or one that doesn't know the account. The worker says so, and stops all the same.
		await expect.poll(() => output).toContain("jobs can't be claimed; trying again");
		program.kill("SIGTERM");
		expect(await ended).toEqual([0, null]);
	} finally {
		program.kill("SIGKILL");
	}
});

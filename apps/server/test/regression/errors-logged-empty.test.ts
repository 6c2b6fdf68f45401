import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { expect, it } from "vitest";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

it("logs an error's message and stack, although pino alone writes `error` as an empty object", async () => {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-logged-"));
	const { url, close } = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	const env = {
		PATH: process.env.PATH,
		NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
		REELMILL_DATABASE_URL: url,
		REELMILL_DATA_DIR: directory,
		REELMILL_PORT: "0",
		REELMILL_EMBEDDED_WORKERS: "0",
		REELMILL_SWEEP_SECONDS: "1",
	};
	const child = spawn(process.execPath, [main], { env });
	try {
		let [out, err] = ["", ""];
		child.stdout.on("data", (text) => {
			out += text;
		});
		child.stderr.on("data", (text) => {
			err += text;
		});
		await expect.poll(() => out).toContain("Reelmill is ready.");
		await close();
		const failures = () =>
			err
				.split("\n")
				.filter((line) => line.includes('"unavailable":"database"'))
				.map((line) => JSON.parse(line) as object);
		await expect.poll(failures).toContainEqual(
			expect.objectContaining({
				error: expect.objectContaining({ message: expect.stringContaining("database"), stack: expect.any(String) }),
			}),
		);
	} finally {
		child.kill("SIGKILL");
		await once(child, "exit");
		await rm(directory, { recursive: true, force: true });
	}
});

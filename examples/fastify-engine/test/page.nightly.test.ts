import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { expect, it } from "vitest";
import { launchChromium } from "../../../packages/browser/test/support/chromium.ts";
import { freePort } from "../../../scripts/programs/program.ts";
import { openPage, timeMoves } from "../../plain-html/test/support/play-through.ts";
import { makeShortClip } from "../../plain-html/test/support/short-clip.ts";

const program = fileURLToPath(new URL("../src/main.ts", import.meta.url));

it("uploads, encodes and plays a private video in one process, and stops in order", async () => {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-fastify-"));
	const database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	const port = await freePort();
	const { PATH } = process.env;
	const clip = await makeShortClip(directory);
	const child = spawn(process.execPath, [program], {
		env: { PATH, PORT: `${port}`, DIRECTORY: directory, DATABASE_URL: database.url },
		stdio: ["ignore", "pipe", "inherit"],
	});
	let said = "";
	child.stdout.on("data", (text) => {
		said += text;
	});
	const browser = await launchChromium();
	try {
		await expect.poll(() => said).toContain(`Open http://127.0.0.1:${port}`);
		const { page, complaints } = await openPage(browser, `http://127.0.0.1:${port}`);
		await page.setInputFiles("#file", clip);
		await page.getByText("The video is available.").waitFor();
		await timeMoves(page, "#player");
		expect(complaints).toEqual([]);
		expect((await fetch(`http://127.0.0.1:${port}/v1/videos`)).status).toBe(401);
		expect((await fetch(`http://127.0.0.1:${port}/my/videos/none`)).status).toBe(404);
	} finally {
		await browser.close();
		child.kill("SIGTERM");
		const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
		await database.close();
		await rm(directory, { recursive: true });
		expect(code).toBe(0);
	}
});

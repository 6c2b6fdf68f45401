import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { expect, it } from "vitest";
import { launchChromium } from "../../../packages/browser/test/support/chromium.ts";

const program = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const whole = fileURLToPath(new URL("../../demo/assets/clip.mp4", import.meta.url));

it("takes a lesson from sign-in to play, and stops with the Reelmill that it started", async () => {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-express-"));
	const database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	const { PATH } = process.env;
	const clip = join(directory, "clip.mp4");
	await promisify(execFile)("ffmpeg", ["-v", "error", "-i", whole, "-t", "2", "-c", "copy", clip]);
	const child = spawn(process.execPath, [program], {
		env: { PATH, PORT: "0", DIRECTORY: directory, DATABASE_URL: database.url },
		stdio: ["ignore", "pipe", "inherit"],
	});
	let said = "";
	child.stdout.on("data", (text) => {
		said += text;
	});
	const browser = await launchChromium();
	try {
		await expect.poll(() => said).toMatch(/^Open .*\n/);
		const page = await browser.newPage();
		await page.goto(said.replace("Open ", "").trim());
		await page.fill("#name", "ada");
		await page.getByText("Sign in", { exact: true }).click();
		await page.getByText("Signed in as ada.").waitFor();
		await page.setInputFiles("#file", clip);
		await page.getByText("The lesson is published.").waitFor({ timeout: 90_000 });
		await page.getByText("Play My lesson").click();
		await page.waitForFunction(() => (document.querySelector("#player") as HTMLVideoElement).currentTime > 0.2);
	} finally {
		await browser.close();
		child.kill("SIGTERM");
		const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
		await database.close();
		await rm(directory, { recursive: true });
		expect(code).toBe(0);
	}
});

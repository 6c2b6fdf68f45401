import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createReelmill, createReelmillAdmin, verifyWebhook } from "@reelmill/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../../browser/test/support/chromium.ts";
import { listen } from "../../../http/test/support/open-service.ts";
import { started, startedOf } from "../support/reelmill.ts";

const secret = "whsec_of-my-app";
type Shown = { url: string; apiKey: string; adminKey: string; webhookSecret: string; idle: string | null };

let directory = "";
let clip = "";
let forwarded: { headers: Record<string, string | string[] | undefined>; body: string }[] = [];
const receiver = createServer(async (request, response) => {
	forwarded.push({ headers: request.headers, body: await text(request) });
	response.writeHead(204).end();
});
let forward = "";
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-dev-test-"));
	forward = `${await listen(receiver)}/webhooks`;
	clip = join(directory, "clip.mp4");
	const made = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=1", "-pix_fmt", "yuv420p", clip];
	await promisify(execFile)("ffmpeg", ["-v", "error", ...made]);
});
afterAll(async () => {
	receiver.closeAllConnections();
	receiver.close();
	await rm(directory, { recursive: true });
});

async function dev(...args: string[]) {
	const temporary = await mkdtemp(join(directory, "tmp-"));
	const environment = { TMPDIR: temporary, HOME: temporary };
	const running = started(environment, "dev", "--port", "0", "--json", "--secret", secret, ...args);
	const shown = JSON.parse((await running.lines.next()).value ?? "null") as Shown;
	return { ...running, shown, temporary };
}

/** The processes whose command line, or whose folder, is in this directory. */
const processesIn = (folder: string): string[] =>
	readdirSync("/proc").filter((pid) => {
		try {
			return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
		} catch {
			return false;
		}
	});

describe("dev", () => {
	it("serves a domain, a page to try and webhooks, and leaves nothing behind", async () => {
		forwarded = [];
		const { shown, lines, stop, ended, temporary } = await dev("--forward", forward);
		expect(shown).toMatchObject({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), webhookSecret: secret });
		expect(shown.idle).toBeNull();
		expect(readdirSync(temporary)).toHaveLength(1);
		expect(processesIn(temporary)).not.toEqual([]);
		const reelmill = createReelmill({ baseUrl: shown.url, apiKey: shown.apiKey });
		await createReelmillAdmin({ baseUrl: shown.url, adminKey: shown.adminKey }).stats.get();

		const browser = await launchChromium();
		try {
			const page = await browser.newPage();
			const wrong: string[] = [];
			page.on("pageerror", (error) => wrong.push(error.message));
			page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
			await page.goto(`${shown.url}/`);
			await page.setInputFiles("#file", clip);
			await page.getByRole("status").getByText("available").waitFor();
			await page.locator("video:not([hidden])").waitFor();
			await page.waitForFunction(() => (document.querySelector("video")?.duration ?? 0) > 0);
			await page.getByText("video.ready: answered 204").waitFor();
			expect(wrong).toEqual([]);
		} finally {
			await browser.close();
		}
		const [{ headers, body } = { headers: {}, body: "" }] = forwarded;
		const event = await verifyWebhook({ payload: body, headers, secret });
		const [video] = (await reelmill.videos.page({ limit: 1 })).data;
		expect(event).toMatchObject({ type: "video.ready", data: { video: { id: video?.id, state: "available" } } });
		expect(JSON.parse((await lines.next()).value ?? "null")).toEqual({
			type: "video.ready",
			delivery_id: event.id,
			video_id: video?.id,
			status: 204,
			error: null,
		});
		await refusesStrangers(shown.url);

		forwarded = [];
		await reelmill.webhookListeners.trigger("video.failed");
		expect(JSON.parse((await lines.next()).value ?? "null")).toMatchObject({ type: "video.failed", status: 204 });
		const [madeUp = { headers: {}, body: "" }, ...more] = forwarded;
		expect(more).toEqual([]);
		expect(await verifyWebhook({ payload: madeUp.body, headers: madeUp.headers, secret })).toMatchObject({
			data: { video: { failure_reason: "invalid_media" } },
		});

		stop("SIGINT");
		expect(await ended).toBe(0);
		expect(processesIn(temporary)).toEqual([]);
		expect(readdirSync(temporary)).toEqual([]);
		await expect(fetch(shown.url)).rejects.toThrow();
	});

	it("keeps its data and its keys where it is asked to, and removes what a killed run left", async () => {
		const kept = join(directory, "kept");
		const first = await dev("--data-dir", kept);
		first.stop("SIGTERM");
		expect(await first.ended).toBe(0);
		const envFile = join(directory, ".env");
		await writeFile(envFile, "PORT=3000\nREELMILL_API_KEY=ek_of_before\nREELMILL_URL_OF_MINE=/");
		const second = await dev("--data-dir", kept, "--write-env", envFile);
		expect({ ...second.shown, url: "" }).toEqual({ ...first.shown, url: "" });
		expect(readFileSync(envFile, "utf8").split("\n")).toEqual([
			"PORT=3000",
			"REELMILL_URL_OF_MINE=/",
			`REELMILL_URL=${second.shown.url}`,
			`REELMILL_API_KEY=${second.shown.apiKey}`,
			`REELMILL_WEBHOOK_SECRET=${secret}`,
			"",
		]);
		expect((await stat(envFile)).mode & 0o777).toBe(0o600);
		second.stop("SIGTERM");
		expect(await second.ended).toBe(0);
		expect(existsSync(join(kept, "postgres"))).toBe(true);

		const temporary = await mkdtemp(join(directory, "tmp-"));
		await mkdir(join(temporary, "reelmill-dev-4194304-killed"));
		const third = started({ TMPDIR: temporary }, "dev", "--port", "0", "--json");
		await third.lines.next();
		expect((await readdir(temporary)).filter((name) => name.endsWith("-killed"))).toEqual([]);
		third.stop("SIGTERM");
		expect(await third.ended).toBe(0);
		expect(await readdir(temporary)).toEqual([]);
	});

	it("says that its port is taken, and leaves nothing", async () => {
		const temporary = await mkdtemp(join(directory, "tmp-"));
		const taken = started({ TMPDIR: temporary }, "dev", "--port", new URL(forward).port);
		expect((await taken.notes.next()).value).toMatch(/^reelmill: Port \d+ is taken by another program/);
		expect(await taken.ended).toBe(1);
		expect(await readdir(temporary)).toEqual([]);
	});

	it("says in one sentence what to install where the server's packages are missing", async () => {
		const alone = join(directory, "alone");
		const own = fileURLToPath(new URL("../../", import.meta.url));
		await cp(join(own, "src"), join(alone, "src"), { recursive: true });
		await cp(join(own, "package.json"), join(alone, "package.json"));
		const { dependencies } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
		for (const name of Object.keys(dependencies)) {
			await mkdir(dirname(join(alone, "node_modules", name)), { recursive: true });
			await symlink(join(own, "node_modules", name), join(alone, "node_modules", name));
		}
		const missing = startedOf(join(alone, "src", "main.ts"), {}, "dev");
		expect((await missing.notes.next()).value).toMatch(
			/^reelmill: The server's packages are not installed here: npm install --save-dev reelmill @reelmill\/engine /,
		);
		expect(await missing.ended).toBe(1);
	});
});

/** Neither another origin nor another name of this machine may upload through the page's calls. */
async function refusesStrangers(url: string): Promise<void> {
	const { port } = new URL(url);
	const status = (headers: Record<string, string>, path = "/dev/videos") =>
		new Promise((resolve, reject) => {
			const sent = httpRequest({ port, host: "127.0.0.1", path, method: "POST", headers }, (response) => {
				response.resume();
				resolve(response.statusCode);
			});
			sent.once("error", reject).end("{}");
		});
	expect(await status({ host: `evil.example:${port}` })).toBe(403);
	expect(await status({ host: `127.0.0.1:${port}`, origin: "https://evil.example" })).toBe(403);
	// Its address can't be made a URL.
	expect(await status({ origin: "https://evil.example" }, "//")).toBe(404);
}

import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkAccessible } from "./support/accessible.ts";
import { openConsole } from "./support/console.ts";
import { type Endpoint, startEndpoint } from "./support/endpoint.ts";
import { expectUntaken, hostileText } from "./support/hostile.ts";
import { look } from "./support/look.ts";
import { closeSecret } from "./support/shown-secret.ts";

const console = openConsole({ WEBHOOK_ALLOW_CIDRS: "127.0.0.1/32", WEBHOOK_SCHEDULE_SECONDS: "0,0,0,0,0,0" });
let endpoint: Endpoint;
let secret: string;
beforeAll(async () => {
	endpoint = await startEndpoint();
});
afterAll(() => endpoint?.close());

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const rows = (page: Page) => page.getByRole("table").locator("tbody tr");

/** Has an event told: a video that is cancelled. Resolves to the video's id. */
async function happen(): Promise<string> {
	const { video } = await console.tenant.call("createVideo", { body: { content_type: "video/mp4", file_size: 1000 } });
	await console.tenant.call("cancelVideo", { params: { id: video.id } });
	return video.id;
}

it("takes an address, makes a secret that is shown once, and says what is wrong with an address", async () => {
	const page = await console.signIn("/d/default/webhooks");
	await page.getByText("Set an address and a secret above.").waitFor();
	await checkAccessible(page);
	await look(page, "webhooks-empty");
	expect(await page.getByRole("button", { name: "Send test event" }).isDisabled()).toBe(true);
	await page.getByLabel("Address").fill("http://10.1.2.3/hook");
	await page.getByRole("button", { name: "Save address" }).click();
	await page.getByRole("alert").getByText("must not be a private").waitFor();
	await page.getByLabel("Address").fill(endpoint.url);
	await page.getByRole("button", { name: "Save address" }).click();
	await page.getByRole("alert").waitFor({ state: "detached" });
	await page.getByRole("button", { name: "Make a secret" }).click();
	const dialog = page.getByRole("alertdialog", { name: "The new webhook secret" });
	await dialog.getByRole("button", { name: "Copy secret" }).click();
	secret = await clipboard(page);
	expect(secret).toMatch(/^whsec_/);
	await checkAccessible(page);
	await closeSecret(page, dialog, secret);
	const { config, webhook_secret_set } = await console.tenant.call("getDomain", {});
	expect([config.webhook_url, webhook_secret_set]).toEqual([endpoint.url, true]);
	await page.close();
});

it("sends a test event, and shows what was sent and what came back, hostile as it may be", async () => {
	endpoint.answer = (response) =>
		void response
			.writeHead(500, { "content-type": "text/html", "x-hostile": "<script>window.taken=1</script>" })
			.end(hostileText);
	const page = await console.signIn("/d/default/webhooks");
	await page.getByRole("button", { name: "Send test event" }).click();
	await page.getByRole("heading", { name: "webhook.test" }).waitFor();
	await page.getByRole("navigation", { name: "Attempts" }).getByText("500").waitFor();
	await page.getByText(hostileText).waitFor();
	const [request, answer] = [
		page.getByRole("region", { name: "Request" }),
		page.getByRole("region", { name: "Answer" }),
	];
	await request.getByText(/headers?$/).click();
	await request.getByText(/^t=\d+,v1=[0-9a-f]{8}…$/).waitFor();
	await answer.getByText(/headers?$/).click();
	await answer.getByText("<script>window.taken=1</script>", { exact: true }).waitFor();
	await request.getByText('"pending_upload"').waitFor();
	await expectUntaken(page);
	await checkAccessible(page);
	await look(page, "delivery");
	endpoint.answer = (response) => void response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0x00]));
	await page.getByRole("button", { name: "Replay" }).click();
	await answer.getByText("The body is binary, shown as base64.").waitFor();
	await page.getByRole("link", { name: /^Attempt 1: 500/ }).click();
	await answer.getByText(hostileText).waitFor();
	expect(new URL(page.url()).searchParams.get("attempt")).toBe("1");
	await page.reload();
	await page.getByRole("region", { name: "Answer" }).getByText(hostileText).waitFor();
	await page.close();
});

it("copies a delivery as shell lines that send it again, signed anew", async () => {
	endpoint.answer = (response) => void response.writeHead(204).end();
	const page = await console.signIn("/d/default/webhooks?type=webhook.test");
	await page.getByRole("link", { name: "webhook.test" }).click();
	await page.getByRole("button", { name: "Copy as curl" }).click();
	await page.getByRole("button", { name: "Copied" }).waitFor();
	const lines = await clipboard(page);
	const before = endpoint.received.length;
	const { stdout } = await promisify(execFile)("bash", ["-c", lines], {
		env: { ...process.env, REELMILL_WEBHOOK_SECRET: secret },
	});
	expect(stdout).toContain("204");
	const again = endpoint.received[before];
	const [, at, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(again?.headers["service-signature"])) ?? [];
	const signed = createHmac("sha256", secret)
		.update(`${at}.`)
		.update(again?.body ?? "");
	expect(signature).toBe(signed.digest("hex"));
	expect(again?.body.equals(endpoint.received[0]?.body ?? Buffer.alloc(0))).toBe(true);
	await page.close();
});

it("keeps its filters in the URL, and replays one and all that failed", async () => {
	endpoint.answer = (response) => void response.writeHead(503).end("later");
	const videos = [await happen(), await happen(), await happen()];
	const page = await console.signIn("/d/default/webhooks?status=failed");
	await page.getByRole("button", { name: "Replay 3 failed" }).waitFor();
	await page.getByRole("table").waitFor();
	await checkAccessible(page);
	await look(page, "webhooks");
	await page.getByRole("searchbox", { name: "Video id" }).fill(videos[0] ?? "");
	await expect.poll(() => rows(page).count()).toBe(1);
	expect(new URL(page.url()).search).toContain(videos[0]);
	endpoint.answer = (response) => void response.writeHead(204).end();
	await page.getByRole("button", { name: /^Replay video.cancelled/ }).click();
	await page.getByText("No delivery fits these filters").waitFor();
	await page.getByRole("link", { name: "Delivered" }).click();
	await expect.poll(() => rows(page).count()).toBe(1);
	await page.goBack();
	await page.getByRole("searchbox", { name: "Video id" }).fill("");
	await page.getByRole("link", { name: "All" }).click();
	await page.getByRole("button", { name: "Replay 2 failed" }).click();
	await page.getByText("2 are being sent again.").waitFor();
	await expect
		.poll(
			async () => (await console.tenant.call("listWebhookDeliveries", { query: { status: "delivered" } })).data.length,
		)
		.toBe(4);
	await page.getByLabel("Event").selectOption("webhook.test");
	await expect.poll(() => rows(page).count()).toBe(1);
	expect(new URL(page.url()).searchParams.get("type")).toBe("webhook.test");
	await page.getByLabel("Event").selectOption("all");
	await expect.poll(() => rows(page).count()).toBe(4);
	await happen();
	await page.getByRole("button", { name: "Show 1 new" }).click();
	await expect.poll(() => rows(page).count()).toBe(5);
	await page.close();
});

it("rotates the secret, shows the hour of grace, and stops sending", async () => {
	const page = await console.signIn("/d/default/webhooks");
	await page.getByRole("button", { name: "Rotate secret" }).click();
	const asked = page.getByRole("alertdialog", { name: "Rotate the signing secret?" });
	await asked.getByRole("button", { name: "Rotate secret" }).click();
	await page.getByRole("button", { name: "I have saved it" }).click();
	await page.getByText(/also signs, for (60|59) more minutes/).waitFor();
	await checkAccessible(page);
	await page.getByText("Verify deliveries in your back end").click();
	await page.getByRole("button", { name: "Copy verification snippet" }).click();
	expect(await clipboard(page)).toContain('app.post("/hook", webhookHandler({ secret, onEvent }));');
	await look(page, "webhooks-rotated");
	await page.getByRole("button", { name: "Stop sending" }).click();
	await page.getByRole("alertdialog").getByRole("button", { name: "Stop sending" }).click();
	await expect.poll(async () => (await console.tenant.call("getDomain", {})).config.webhook_url).toBeNull();
	await page.close();
});

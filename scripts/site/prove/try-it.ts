import assert from "node:assert/strict";
import { join } from "node:path";
import { createTestReelmill } from "../../../packages/testing/src/index.ts";
import type { Browser, Locator, Page } from "./browser.ts";

/** Returns the form below an operation's heading, opened by the keyboard. */
async function formOf(page: Page, id: string): Promise<Locator> {
	const form = page.locator(`h2#${id} ~ details.try-it`).first();
	const summary = form.locator("> summary");
	await summary.focus();
	if ((await form.getAttribute("open")) === null) await page.keyboard.press("Enter");
	return form;
}

/** Sends the form by the keyboard, and returns the status and the body that it shows. */
async function send(form: Locator, name: string): Promise<{ status: string; body: string }> {
	await form.getByRole("button", { name }).press("Enter");
	await form.locator(".answer strong").waitFor();
	const body = form.locator(".answer > pre");
	return {
		status: (await form.locator(".answer strong").textContent())?.trim() ?? "",
		body: (await body.count()) === 0 ? "" : ((await body.textContent()) ?? ""),
	};
}

/** Proves that a reader can take a video through its life from the page, against a real service. */
export async function proveTryIt(browser: Browser, site: string, pictures: string): Promise<void> {
	const service = await createTestReelmill();
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
	const hosts = new Set<string>();
	context.on("request", (request) => hosts.add(new URL(request.url()).origin));
	try {
		const page = await context.newPage();
		await page.goto(`${site}/api/videos.html`);
		let form = await formOf(page, "createvideo");
		await form.getByRole("textbox", { name: "Server" }).fill(service.baseUrl);
		await page.screenshot({ path: join(pictures, "try-it-session.png") });
		await form.getByRole("button", { name: "Get a sandbox session" }).press("Enter");
		await form.getByText("Sandbox session at").waitFor();

		const bytes = Buffer.from("no video, but bytes");
		const body = { content_type: "video/mp4", file_size: bytes.length };
		await form.getByRole("textbox", { name: /^Body/ }).fill(JSON.stringify(body));
		const created = await send(form, "Send POST");
		assert.match(created.status, /^201/);
		const { video } = JSON.parse(created.body);
		await page.screenshot({ path: join(pictures, "try-it-answer.png") });

		form = await formOf(page, "getvideo");
		assert.equal(await form.getByRole("textbox", { name: /^id/ }).inputValue(), video.id);
		const got = await send(form, "Send GET");
		assert.match(got.status, /^200/);
		assert.equal(JSON.parse(got.body).id, video.id);

		await page.goto(`${site}/api/uploads.html`);
		form = await formOf(page, "createupload");
		await form.getByRole("textbox", { name: /^Upload-Length/ }).fill(String(bytes.length));
		assert.match((await send(form, "Send POST")).status, /^201/);
		form = await formOf(page, "appendupload");
		await form.locator('input[type="file"]').setInputFiles({ name: "a.mp4", mimeType: "video/mp4", buffer: bytes });
		assert.match((await send(form, "Send PATCH")).status, /^(?:204|415|422)/);

		await page.goto(`${site}/api/domain.html`);
		form = await formOf(page, "getdomain");
		const refused = await send(form, "Send GET");
		assert.match(refused.status, /^403/);
		assert.match(refused.body, /sandbox_not_allowed/);

		const kept = await page.evaluate("JSON.stringify([localStorage, document.cookie])");
		assert.doesNotMatch(String(kept), /ek_/);
		assert.deepEqual([...hosts].sort(), [site, service.baseUrl].sort());
		const other = await context.newPage();
		await other.goto(`${site}/api/videos.html`);
		await (await formOf(other, "getvideo")).getByRole("button", { name: "Get a sandbox session" }).waitFor();
		await proveFailures(page, site, pictures);
		console.log("A reader goes from a sandbox session to an upload on the pages, and no other host is asked.");
	} finally {
		await context.close();
		await service.close();
	}
}

/** Proves that the page says what stood in the way, where the browser tells it nothing. */
async function proveFailures(page: Page, site: string, pictures: string): Promise<void> {
	await page.goto(`${site}/api/videos.html`);
	const form = await formOf(page, "getvideo");
	await form.getByRole("button", { name: "Forget it" }).press("Enter");
	const ask = async (server: string): Promise<string> => {
		await form.getByRole("textbox", { name: "Server" }).fill(server);
		await form.getByRole("button", { name: "Get a sandbox session" }).press("Enter");
		await form.locator(".problem").waitFor();
		return (await form.locator(".problem").textContent()) ?? "";
	};
	// A server of files has no API, and lets no page read that.
	assert.match(await ask(site.replace("127.0.0.1", "localhost")), /No Reelmill server answers/);
	assert.match(await ask("http://127.0.0.1:9"), /No Reelmill server answers/);
	await page.screenshot({ path: join(pictures, "try-it-problem.png") });
	assert.match(await ask("ftp://example"), /no address of a server/);
	// An older server: its document can be read, and nothing else.
	await page.route("http://old.example/**", (route) =>
		route.request().url().endsWith("/v1/openapi.json")
			? route.fulfill({ json: {}, headers: { "access-control-allow-origin": "*" } })
			: route.abort(),
	);
	assert.match(await ask("http://old.example"), /server is there, but it doesn't let this page read/);
}

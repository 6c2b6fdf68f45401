import { createOpenApiDocument } from "@reelmill/contracts/openapi";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, it } from "vitest";
import { checkAccessible } from "./support/accessible.ts";
import { openConsole } from "./support/console.ts";
import { look } from "./support/look.ts";

const console = openConsole();
let page: Page;
/** Requests that a reader sent from the page. */
const tried: { path: string; key: string | undefined; cookie: string | undefined }[] = [];
beforeAll(async () => {
	// Whoever is signed in to the console has a cookie that the reference must not use.
	page = await console.signIn("/d/default/videos", { reducedMotion: "reduce" });
	await page.goto(`${console.url}/docs`);
	page.on("request", async (request) => {
		const path = request.url().slice(console.url.length);
		if (!path.startsWith("/v1/") || path.includes("openapi")) return;
		const { authorization, cookie } = await request.allHeaders();
		tried.push({ path, key: authorization, cookie });
	});
});

const operation = (id: string) => page.locator(`section[id="tenants/tag/${id}"]`);
const client = () => page.getByRole("dialog", { name: "API Client" });
const goTo = (id: string) => page.evaluate((hash) => location.assign(`#tenants/tag/${hash}`), id);

/** Sends an operation from its form, and waits for the status of its answer and a text of its body. */
async function send(id: string, status: string, text: string): Promise<void> {
	await goTo(id);
	await operation(id)
		.getByRole("button", { name: /^Test Request/ })
		.click();
	await client().locator("[data-addressbar-action=send]:visible").click();
	await client().getByText(status).first().waitFor();
	await client().getByText(text).first().waitFor();
}
const close = async () => {
	await page.keyboard.press("Escape");
	await client().waitFor({ state: "hidden" });
};
// A form that a failed test left open would take the clicks of the next.
afterEach(close);

/** Faults of Scalar's own markup in the form of a request, which are none of the colours. */
const ofScalar = [
	// Buttons that say more of a field have the role "none".
	"aria-allowed-role",
	"aria-prohibited-attr",
	"presentation-role-conflict",
	// Fields that offer variables are comboboxes that don't say of which list; the answer's text has no name.
	"aria-required-attr",
	"aria-input-field-name",
	"aria-valid-attr-value",
	// The form has a main part of its own.
	"landmark-no-duplicate-main",
];

it("is accessible, in the console's colours", async () => {
	await operation("videos/POST/v1/videos").getByRole("heading", { name: "Initiate an upload" }).waitFor();
	await checkAccessible(page);
	await look(page, "reference");
});

it("tries an operation by a key of the reader's own, and by no cookie", async () => {
	await send("domain/GET/v1/domain", "401", "unauthorized");
	await close();
	const key = (await console.createDomain("reader")).apiKey;
	await page
		.getByRole("main", { name: /^API documentation/ })
		.getByPlaceholder("Token")
		.fill(key);
	await send("domain/GET/v1/domain", "200", '"reader"');
	await checkAccessible(page, ["light", "dark"], ".scalar-client", ofScalar);
	await look(page, "reference-tried");
	expect(tried.at(-1)).toEqual({ path: "/v1/domain", key: `Bearer ${key}`, cookie: undefined });
	expect(tried.map(({ cookie }) => cookie)).toEqual([undefined, undefined]);
});

it("tries operations by the key of a sandbox session that it got", async () => {
	await page.getByRole("button", { name: "Get a sandbox session" }).click();
	await page.getByRole("status").getByText("good until").waitFor();
	await send("videos/GET/v1/videos", "200", "next_cursor");
	await close();
	await send("domain/GET/v1/domain", "403", "sandbox_not_allowed");
	// What may be left out is not sent unless the reader ticks it.
	expect(tried.map(({ path }) => path)).toContain("/v1/videos");
});

it("finds an operation by its words, and copies it", async () => {
	await page.keyboard.press("Control+k");
	await page.getByRole("combobox").fill("playback key");
	await page.getByRole("option", { name: /Mint a playback key/ }).click();
	await page.waitForURL(/#tenants\/tag\/playback-keys\/POST\/v1\/playback-keys$/);
	const found = operation("playback-keys/POST/v1/playback-keys");
	await found.getByRole("button", { name: "Copy as Markdown" }).click();
	await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("/v1/playback-keys");
});

it("lists each operation of tenants, and shows those of every group", async () => {
	const { tags, paths } = createOpenApiDocument({ serverUrl: console.url, part: "tenants" });
	const operations = Object.entries(paths).flatMap(([path, item]) =>
		Object.entries(item).map(([method, { summary, tags: groups }]) => ({
			id: `${groups[0]?.toLowerCase().replaceAll(" ", "-")}/${method.toUpperCase()}${path}`,
			summary,
			group: groups[0],
		})),
	);
	for (const { name } of tags) {
		const [first] = operations.filter(({ group }) => group === name);
		if (first === undefined) continue;
		await goTo(first.id);
		await operation(first.id).getByRole("heading", { name: first.summary, exact: true }).waitFor();
	}
	// Where a reader comes to a group, it opens in the menu.
	const links = await page
		.getByRole("link")
		.evaluateAll((all) => all.map((link) => decodeURIComponent(link.getAttribute("href") ?? "")));
	expect(links).toEqual(expect.arrayContaining(operations.map(({ id }) => `#tenants/tag/${id}`)));
});

it("has the documents of the other audiences", async () => {
	for (const [before, name, group] of [
		["Tenants", "Operators", "admin"],
		["Operators", "Workers", "jobs"],
		["Workers", "Console", "console"],
	] as const) {
		await page.getByRole("button", { name: before, exact: true }).click();
		await page.getByRole("option", { name, exact: true }).click();
		await page.locator(`a[href="#${name.toLowerCase()}/tag/${group}"]`).first().waitFor();
	}
});

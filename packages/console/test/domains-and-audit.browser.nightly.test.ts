import { expect, it } from "vitest";
import { checkAccessible } from "./support/accessible.ts";
import { openConsole } from "./support/console.ts";
import { expectUntaken, hostileText } from "./support/hostile.ts";
import { look } from "./support/look.ts";
import { closeSecret } from "./support/shown-secret.ts";

const console = openConsole();

it("makes a domain, shows its key once, and refuses a slug in words", async () => {
	const page = await console.signIn("/operator/domains");
	await page.getByRole("link", { name: "default" }).waitFor();
	await checkAccessible(page);
	await look(page, "domains");
	await page.getByRole("button", { name: "Create a domain" }).click();
	const dialog = page.getByRole("dialog", { name: "Create a domain" });
	await dialog.getByLabel("Slug").fill("No Slug");
	await dialog.getByRole("button", { name: "Create the domain" }).click();
	await dialog.getByText("A slug has 1 to 63 characters").waitFor();
	await dialog.getByLabel("Slug").fill("default");
	await page.keyboard.press("Enter");
	await dialog.getByRole("alert").getByText("slug_already_exists").waitFor();
	await dialog.getByLabel("Slug").fill("acme");
	await page.keyboard.press("Enter");
	const secret = page.getByRole("alertdialog", { name: "The key of acme" });
	const key = (await secret.locator("pre").textContent()) ?? "";
	expect(key).toMatch(/^ek_/);
	await checkAccessible(page);
	await closeSecret(page, secret, key);
	await page.getByRole("link", { name: "acme", exact: true }).click();
	await page.getByRole("heading", { name: "acme", exact: true }).waitFor();
	expect(await page.content()).not.toContain(key);
	await page.getByText(`...${key.slice(-4)}`).waitFor();
});

it("changes slug and limits after showing what changes, and names a wrong value at its field", async () => {
	const { id } = await console.createDomain("before");
	const page = await console.signIn(`/operator/domains/${id}`);
	const save = page.getByRole("button", { name: "Save changes" });
	await page.getByLabel("Storage storage_bytes_limit", { exact: true }).fill("much");
	await page.getByText("Write a number of bytes, such as 20 GiB.").waitFor();
	expect(await save.isDisabled()).toBe(true);
	await page.getByLabel("Storage storage_bytes_limit", { exact: true }).fill("20 GiB");
	await page.getByLabel("Slug", { exact: true }).fill("after");
	const difference = page.getByRole("list", { name: "What will change" });
	expect(await difference.innerText()).toMatch(/Slug: before . after\nStorage: 100 GiB . 20 GiB$/);
	await checkAccessible(page);
	await look(page, "domain");
	await page.getByLabel("Slug", { exact: true }).fill("default");
	await save.click();
	await page.getByRole("alert").getByText("slug_already_exists").waitFor();
	await page.getByLabel("Slug", { exact: true }).fill("after");
	await save.click();
	await page.getByRole("heading", { name: "after", exact: true }).waitFor();
	await expect.poll(() => save.isDisabled()).toBe(true);
	const { limits } = await console.admin.call("getAdminDomain", { params: { id } });
	expect(limits).toMatchObject({ storage_bytes_limit: 20 * 1024 ** 3, max_concurrent_processing: 4 });
});

it("rotates a domain's key, at once only after its slug was typed", async () => {
	const { id, tenant } = await console.createDomain("rotated");
	const page = await console.signIn(`/operator/domains/${id}`);
	await page.getByRole("button", { name: "Rotate the key" }).click();
	const dialog = page.getByRole("alertdialog", { name: "Rotate the key of rotated?" });
	await dialog.getByLabel("The current key").selectOption("0");
	const confirm = dialog.getByRole("button", { name: "Rotate the key" });
	expect(await confirm.isDisabled()).toBe(true);
	await dialog.getByLabel("Type rotated to confirm").fill("rotated");
	await confirm.click();
	const secret = page.getByRole("alertdialog", { name: "The new key of rotated" });
	expect(await secret.locator("pre").textContent()).toMatch(/^ek_/);
	await secret.getByRole("button", { name: "I have saved it" }).click();
	await expect.poll(() => tenant.call("getDomain", {}).catch((error) => error.code)).toBe("unauthorized");
});

it("deletes a domain only when its slug is typed, and says what goes with it", async () => {
	const { id } = await console.createDomain("leaving");
	const page = await console.signIn(`/operator/domains/${id}`);
	await page.getByRole("button", { name: "Delete leaving" }).click();
	const dialog = page.getByRole("alertdialog", { name: "Delete leaving?" });
	await dialog.getByText("all of its videos and outros").waitFor();
	const confirm = dialog.getByRole("button", { name: "Delete leaving" });
	await dialog.getByLabel("Type leaving to confirm").fill("leavin");
	expect(await confirm.isDisabled()).toBe(true);
	await checkAccessible(page);
	await dialog.getByLabel("Type leaving to confirm").fill("leaving");
	await confirm.click();
	await page.getByRole("heading", { name: "Domains" }).waitFor();
	await expect.poll(() => page.getByRole("link", { name: "leaving" }).count()).toBe(0);
	await expect(console.admin.call("getAdminDomain", { params: { id } })).rejects.toMatchObject({
		code: "domain_not_found",
	});
});

it("shows the operator who changed what everywhere, and keeps its filters in the URL", async () => {
	const { id, slug, tenant } = await console.createDomain("watched");
	await tenant.call("updateDomainConfig", { body: { transcript: true, webhook_secret: "whsec_never-shown" } });
	await tenant.call("revokePlaybackKeys", { body: { viewer_ref: hostileText.slice(0, 255) } });
	const page = await console.signIn("/operator/audit");
	await page.getByRole("cell", { name: "Someone signed in to the console" }).first().waitFor();
	await page.getByRole("row").getByText("webhook_secret", { exact: true }).waitFor();
	expect(await page.content()).not.toContain("whsec_never-shown");
	await expectUntaken(page);
	await checkAccessible(page);
	await look(page, "audit-log");
	await page.getByLabel("Domain", { exact: true }).selectOption({ label: slug });
	await page.getByLabel("Change", { exact: true }).selectOption("domain.config_updated");
	await expect.poll(() => page.getByRole("row").count()).toBe(2);
	const { searchParams } = new URL(page.url());
	expect([searchParams.get("domain"), searchParams.get("action")]).toEqual([id, "domain.config_updated"]);
	await page.reload();
	await page.getByRole("row").getByText("webhook_secret", { exact: true }).waitFor();
	await expect.poll(() => page.getByRole("row").count()).toBe(2);
	await page.getByLabel("Change", { exact: true }).selectOption("domain.deleted");
	await page.getByText("No such change").waitFor();
	await page.goBack();
	await page.getByRole("row").getByText("webhook_secret", { exact: true }).waitFor();
});

it("shows a tenant its own changes alone, by whom, and the operator's without a name", async () => {
	const own = await console.createDomain("own");
	const other = await console.createDomain("other");
	await own.tenant.call("updateDomainConfig", { body: { cors_origins: ["https://a.example"] } });
	await own.tenant.call("revokePlaybackKeys", { body: { viewer_ref: hostileText.slice(0, 255) } });
	await other.tenant.call("updateDomainConfig", { body: { transcript: true } });
	const page = await console.signIn("/d/own/audit");
	await page.getByRole("row").getByText("cors_origins", { exact: true }).waitFor();
	expect(await page.getByRole("row").getByText("transcript", { exact: true }).count()).toBe(0);
	await page.getByRole("row").getByText(hostileText.slice(0, 40)).waitFor();
	await expectUntaken(page);
	await checkAccessible(page);
	await look(page, "audit");
	await page.getByRole("link", { name: "the operator" }).first().click();
	await expect.poll(() => page.getByRole("row").count()).toBe(2);
	await page.getByRole("row").getByText("A domain was created").waitFor();
	expect(new URL(page.url()).search).toBe("?actor=operator");
	await page.getByLabel("By", { exact: true }).fill(`...${own.apiKey.slice(-4)}`);
	await page.getByRole("button", { name: "Filter" }).click();
	await page.getByRole("row").getByText("cors_origins", { exact: true }).waitFor();
	await expect.poll(() => page.getByRole("row").count()).toBe(3);
	await page.getByRole("button", { name: "Show everyone" }).click();
	await expect.poll(() => page.getByRole("row").count()).toBe(4);
});

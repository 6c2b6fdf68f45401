import { isReelmillError } from "@reelmill/client";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { checkAccessible } from "./support/accessible.ts";
import { asksToClose } from "./support/asks-to-close.ts";
import { openConsole } from "./support/console.ts";
import { expectUntaken, hostileText } from "./support/hostile.ts";
import { look } from "./support/look.ts";
import { closeSecret } from "./support/shown-secret.ts";
import { signInAs } from "./support/sign-in-as.ts";

const console = openConsole();
const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const codeOf = (promise: Promise<unknown>) =>
	promise.then(
		() => null,
		(error: unknown) => (isReelmillError(error) ? error.code : error),
	);

describe("the accounts", () => {
	it("are listed with what they see, and can be given domains, disabled and enabled", async () => {
		const { id } = await console.createDomain("alpha");
		const { page: alice } = await signInAs(console, "alice", "/d/alpha/videos", { domainIds: [id] });
		await heading(alice, "Videos").waitFor();
		await signInAs(console, "mallory", "/", { domainIds: [], email: hostileText });
		const page = await console.signIn("/operator/accounts");
		await rowOf(page, "alice@members.example").getByText("alpha").waitFor();
		await rowOf(page, "Console secret").getByText("All, as admin").waitFor();
		await rowOf(page, "mallory").getByText("None").waitFor();
		await expectUntaken(page);
		await checkAccessible(page);
		await look(page, "accounts");

		await button(page, "Change access of alice@members.example").click();
		const dialog = page.getByRole("dialog");
		await dialog.getByRole("checkbox", { name: "default" }).check();
		await dialog.getByRole("checkbox", { name: "alpha" }).uncheck();
		await checkAccessible(page);
		await look(page, "accounts-access");
		await dialog.getByRole("button", { name: "Change access" }).click();
		await rowOf(page, "alice@members.example").getByText("default").waitFor();

		await button(page, "Change access of alice@members.example").click();
		await dialog.getByLabel("Role").selectOption("admin");
		await dialog.getByRole("button", { name: "Change access" }).click();
		await dialog.getByRole("alert").getByText("REELMILL_CONSOLE_ADMINS").waitFor();
		await dialog.getByRole("button", { name: "Cancel" }).click();

		await button(page, "Disable alice@members.example").click();
		await page.getByRole("alertdialog").getByRole("button", { name: "Disable alice@members.example" }).click();
		await rowOf(page, "alice@members.example").getByText("disabled").waitFor();
		await button(page, "Enable alice@members.example").click();
		await button(page, "Disable alice@members.example").waitFor();

		await button(page, "Disable Console secret").click();
		await page.getByRole("alertdialog").getByRole("button", { name: "Disable Console secret" }).click();
		await page.getByRole("alertdialog").getByRole("alert").getByText("the last admin").waitFor();
		await page.getByRole("button", { name: "Keep it as it is" }).click();
		await page.context().close();
		await alice.context().close();
	});
});

it("keeps the files that one account chose from the next account of the tab, and from whoever comes after signing out", async () => {
	const { slug, id } = await console.createDomain("shared");
	const { page: bob } = await signInAs(console, "bob", `/d/${slug}/upload`, { domainIds: [id] });
	const page = await console.signIn(`/d/${slug}/upload`);
	const choose = (name: string) =>
		page.locator("input[type=file]").setInputFiles({ name, mimeType: "video/mp4", buffer: Buffer.from("a secret") });
	await choose("secret-plan.mp4");
	await heading(page, "Ready to upload").waitFor();
	await page.context().addCookies(await bob.context().cookies());
	// The page asks for its session again when its window is looked at.
	await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
	await heading(page, "Ready to upload").waitFor({ state: "detached" });
	expect(await asksToClose(page)).toBe(false);
	await choose("of-bob.mp4");
	await heading(page, "Ready to upload").waitFor();
	expect(await page.content()).not.toContain("secret-plan");
	await button(page, "Account and appearance").click();
	await page.getByRole("menuitem", { name: "Sign out" }).click();
	await heading(page, "Sign in").waitFor();
	expect(await asksToClose(page)).toBe(false);
	await page.context().close();
	await bob.context().close();
});

describe("the service accounts", () => {
	it("are created with a secret that is shown once, rotated with a grace, and revoked by typing", async () => {
		const issue = (name: string, secret: string) =>
			codeOf(console.admin.call("issueServiceToken", { body: { name, secret } }));
		const secretShown = async () => {
			const dialog = page.getByRole("alertdialog");
			await dialog.getByRole("button", { name: "Copy secret" }).click();
			const secret = await page.evaluate(() => navigator.clipboard.readText());
			await closeSecret(page, dialog, secret);
			return secret;
		};
		const create = async (name: string) => {
			await page.getByRole("button", { name: "Create service account" }).click();
			await page.getByLabel("Name").fill(name);
			await page.keyboard.press("Enter");
		};
		const page = await console.signIn("/operator/service-accounts");
		await page.getByText("No service accounts yet").waitFor();
		await checkAccessible(page);
		await create("encoders");
		await page.getByRole("alertdialog").getByText("REELMILL_SERVICE_NAME='encoders'").waitFor();
		await checkAccessible(page);
		await look(page, "service-accounts-secret");
		const first = await secretShown();
		expect(await issue("encoders", first)).toBeNull();
		await rowOf(page, "encoders").getByText("active").waitFor();

		await create("encoders");
		await page.getByRole("dialog").getByText("Choose another name").waitFor();
		await page.getByRole("button", { name: "Cancel" }).click();

		await button(page, "Rotate encoders").click();
		await page.getByRole("button", { name: "Rotate and show secret" }).click();
		await page.getByRole("alertdialog").getByText("The old secret works until").waitFor();
		const second = await secretShown();
		expect([await issue("encoders", first), await issue("encoders", second)]).toEqual([null, null]);

		await create(hostileText);
		await secretShown();
		await expectUntaken(page);
		await look(page, "service-accounts");

		await button(page, "Revoke encoders").click();
		const confirm = page.getByRole("alertdialog").getByRole("button", { name: "Revoke encoders" });
		expect(await confirm.isDisabled()).toBe(true);
		await page.getByLabel("Type encoders to confirm").fill("encoders");
		await checkAccessible(page);
		await confirm.click();
		await rowOf(page, "encoders").getByText("revoked").waitFor();
		expect(await issue("encoders", second)).toBe("invalid_credentials");
		await checkAccessible(page);
		await page.context().close();
	});
});

describe("two accounts with different domains at once", () => {
	it("each see their own, through a restart of the server, until their access changes", async () => {
		const domains = [await console.createDomain("one"), await console.createDomain("two")] as const;
		for (const { slug, tenant } of domains)
			await tenant.call("createVideo", {
				body: { content_type: "video/mp4", file_size: 1000, external_ref: `clip-of-${slug}` },
			});
		const [one, two] = await Promise.all(
			domains.map(({ slug, id }) => signInAs(console, `person-${slug}`, `/d/${slug}/videos`, { domainIds: [id] })),
		);
		if (!one || !two) throw new Error("two people sign in");
		await one.page.getByText("clip-of-one").waitFor();
		await two.page.getByText("clip-of-two").waitFor();
		for (const [page, other] of [
			[one.page, "two"],
			[two.page, "one"],
		] as const) {
			expect(await page.getByText(`clip-of-${other}`).count()).toBe(0);
			expect(await page.getByRole("link", { name: "Queue" }).count()).toBe(0);
		}
		const foreign = await one.page.request.get(`${console.url}/v1/videos`, {
			headers: { "x-service-domain": domains[1].id },
		});
		expect([foreign.status(), (await foreign.json()).error]).toEqual([404, "domain_not_found"]);
		const operators = await one.page.request.get(`${console.url}/admin/v1/stats`);
		expect([operators.status(), (await operators.json()).error]).toEqual([404, "not_found"]);

		await console.restart();
		await domains[0].tenant.call("createVideo", {
			body: { content_type: "video/mp4", file_size: 1000, external_ref: "clip-after-the-restart" },
		});
		await button(one.page, "Show 1 new").click();
		await one.page.getByText("clip-after-the-restart").waitFor();

		await console.admin.call("updateConsoleAccount", { params: { id: one.accountId }, body: { domain_ids: [] } });
		await console.admin.call("disableConsoleAccount", { params: { id: two.accountId } });
		await heading(one.page, "Sign in").waitFor();
		await two.page.getByText("This account is disabled.").waitFor();
		for (const { page } of [one, two]) {
			await expect.poll(() => page.getByText("clip-of-").count()).toBe(0);
			await page.context().close();
		}
	});
});

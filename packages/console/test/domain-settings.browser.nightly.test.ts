import { expect, it } from "vitest";
import { checkAccessible } from "./support/accessible.ts";
import { asksToClose } from "./support/asks-to-close.ts";
import { openConsole } from "./support/console.ts";
import { expectUntaken, hostileText } from "./support/hostile.ts";
import { uploadVideo } from "./support/jobs.ts";
import { look } from "./support/look.ts";
import { closeSecret } from "./support/shown-secret.ts";

const console = openConsole();

it("changes the configuration: bounds at their field, a diff before saving, and only what changed", async () => {
	const page = await console.signIn("/d/default/settings");
	const duration = page.getByLabel("max_duration_seconds");
	await duration.waitFor();
	await page.getByText("1 to 900; default: 180").waitFor();
	await duration.fill("901");
	await page.getByText(/<=900/).waitFor();
	await page.getByRole("button", { name: "Review 1 change" }).click();
	expect(await page.getByRole("dialog").count()).toBe(0);
	await duration.fill("600");
	await page.getByText("transcript", { exact: true }).click();
	await page.getByLabel("av1_1080").uncheck();
	await page.getByText("outputs.dash", { exact: true }).click();
	await page.getByLabel("cors_origins").fill("javascript:alert(1)");
	await page.getByText(/must match pattern/).waitFor();
	await page.getByLabel("cors_origins").fill("https://a.example\nhttps://b.example");
	await checkAccessible(page);
	await look(page, "settings");
	await page.getByRole("link", { name: "Usage" }).click();
	const leaving = page.getByRole("alertdialog", { name: "Leave without saving?" });
	await checkAccessible(page);
	await leaving.getByRole("button", { name: "Stay here" }).click();
	await leaving.waitFor({ state: "detached" });
	expect(await duration.inputValue()).toBe("600");
	expect(await asksToClose(page)).toBe(true);
	await page.getByRole("button", { name: "Review 5 changes" }).click();
	const dialog = page.getByRole("dialog");
	const row = dialog.getByRole("row").filter({ hasText: "max_duration_seconds" });
	await row.getByText("180").waitFor();
	await row.getByText("600").waitFor();
	await checkAccessible(page);
	await look(page, "settings-diff");
	await dialog.getByRole("button", { name: "Save 5 changes" }).click();
	await page.getByText("Saved.").waitFor();
	const { config } = await console.tenant.call("getDomain", {});
	expect(config).toMatchObject({
		max_duration_seconds: 600,
		transcript: true,
		renditions: ["h264_720", "h264_1080", "av1_720"],
		outputs: { hls: true, dash: true },
		cors_origins: ["https://a.example", "https://b.example"],
	});
	expect(await duration.inputValue()).toBe("600");
	await page.getByRole("button", { name: "Nothing to save" }).waitFor();
	expect(await asksToClose(page)).toBe(false);
	await page.getByRole("link", { name: "Usage" }).click();
	await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
	await page.context().close();
});

it("rotates the key, shows the rotation over its grace, and ends the old key once its end is typed", async () => {
	const { tenant, id, apiKey } = await console.createDomain("rotating");
	const page = await console.signIn("/d/rotating/keys");
	await page.getByRole("button", { name: "Rotate the key" }).click();
	await checkAccessible(page);
	await page.getByRole("dialog").getByRole("button", { name: "Rotate the key" }).click();
	const shown = page.getByRole("alertdialog", { name: "The new key of rotating" });
	const secret = (await shown.locator("pre").innerText()).trim();
	expect(secret).toMatch(/^ek_/);
	await closeSecret(page, shown, secret);
	const { data } = await tenant.call("listDomainKeys", {});
	expect(data).toHaveLength(2);
	await page.getByRole("heading", { name: "A rotation is under way" }).waitFor();
	await page.getByRole("figure", { name: /% of the grace period is over/ }).waitFor();
	await checkAccessible(page);
	await look(page, "keys");
	const old = apiKey.slice(-4);
	await page.getByRole("button", { name: `End …${old} now` }).click();
	const asking = page.getByRole("alertdialog");
	await asking.getByLabel(`Type ${old} to confirm`).fill("wrong");
	expect(await asking.getByRole("button", { name: `End …${old}` }).isDisabled()).toBe(true);
	await asking.getByLabel(`Type ${old} to confirm`).fill(old);
	await asking.getByRole("button", { name: `End …${old}` }).click();
	await page.getByRole("heading", { name: "A rotation is under way" }).waitFor({ state: "detached" });
	await expect(tenant.call("getDomain", {})).rejects.toMatchObject({ code: "unauthorized" });
	const { data: entries } = await console.admin.call("listAudit", { query: { domain_id: id } });
	expect(entries.map(({ action }) => action).slice(0, 2)).toEqual(["domain.key_ended", "domain.key_rotated"]);
	await page.context().close();
});

it("shows what is used of the limits, and the days", async () => {
	await uploadVideo(console.url, console.tenant);
	const page = await console.signIn("/d/default/usage");
	await page.getByText("10 B of 10 GiB").waitFor();
	for (const name of ["Uploaded", "Encoded", "Stored", "Failures"]) await page.getByRole("figure", { name }).waitFor();
	await checkAccessible(page);
	await look(page, "usage");
	await page.getByRole("link", { name: "400 days" }).click();
	await expect.poll(() => page.getByRole("figure", { name: "Uploaded" }).locator("tr").count()).toBe(400);
	await page.context().close();
});

it("uploads an outro with a hostile label, shows it on its way, and deletes it once its slug is typed", async () => {
	const page = await console.signIn("/d/default/outros");
	await page.getByText("No outro yet").waitFor();
	await checkAccessible(page);
	const other = { slug: "other", content_type: "video/mp4", file_size: 10 };
	await console.tenant.call("createOutro", { body: other });
	await page.getByRole("button", { name: "Upload an outro" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByLabel("File").setInputFiles({
		name: `${hostileText.slice(0, 20)}.mp4`,
		mimeType: "video/mp4",
		buffer: Buffer.from("0123456789"),
	});
	await dialog.getByLabel("Slug").fill("The Tail");
	await dialog.getByText("Use 1 to 64 lowercase letters").waitFor();
	await dialog.getByLabel("Slug").fill("tail");
	await dialog.getByLabel("Label").fill(hostileText);
	await checkAccessible(page);
	await dialog.getByRole("button", { name: "Upload 10 B" }).click();
	const row = page.getByRole("row").filter({ hasText: "tail" });
	await row.getByText(hostileText).waitFor();
	await row.getByText("encoding").waitFor();
	await checkAccessible(page);
	await look(page, "outros");
	await row.getByRole("button", { name: "Delete tail" }).click();
	await page.getByLabel("Type tail to confirm").fill("tail");
	// It is deleted late, and another question is open by then.
	const [isSent, isHeld] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	await page.route("**/outros/tail", async (route) => {
		isSent.resolve();
		await isHeld.promise;
		await route.continue();
	});
	const question = page.getByRole("alertdialog");
	await question.getByRole("button", { name: "Delete tail" }).click();
	await isSent.promise;
	await question.getByRole("button", { name: "Keep it as it is" }).click();
	await page.getByRole("button", { name: "Delete other" }).click();
	await page.getByLabel("Type other to confirm").fill("other");
	isHeld.resolve();
	await page.getByText(hostileText).waitFor({ state: "detached" });
	await question.getByRole("button", { name: "Delete other" }).click();
	await page.getByText("No outro yet").waitFor();
	await expectUntaken(page);
	await page.context().close();
});

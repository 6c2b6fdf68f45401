import { expect, it } from "vitest";
import { checkAccessible } from "./support/accessible.ts";
import { consoleSecret, openConsole } from "./support/console.ts";
import { look } from "./support/look.ts";

const console = openConsole();

it("leads to the sign-in page, refuses a wrong secret, and comes back to the same place", async () => {
	const page = await console.open("/d/default/videos?state=failed");
	await page.getByRole("heading", { name: "Sign in" }).waitFor();
	await checkAccessible(page);
	await look(page, "sign-in");
	await page.getByLabel("Console secret").fill("not the secret");
	await page.keyboard.press("Enter");
	await page.getByRole("alert").getByText("The console secret is wrong.").waitFor();
	await page.getByRole("button", { name: "Copy request id" }).click();
	await page.getByLabel("Console secret").fill(consoleSecret);
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { name: "Videos" }).waitFor();
	expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/console/d/default/videos?state=failed");
	await checkAccessible(page);
	await look(page, "videos");
});

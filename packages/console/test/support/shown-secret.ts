import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** Closes the dialog that shows a secret, which Escape does not, and expects that the page then holds it nowhere. */
export async function closeSecret(page: Page, dialog: Locator, secret: string): Promise<void> {
	await page.keyboard.press("Escape");
	await page.mouse.click(2, 2);
	expect(await dialog.textContent()).toContain(secret);
	await dialog.getByRole("button", { name: "I have saved it" }).click();
	await dialog.waitFor({ state: "detached" });
	expect(await page.content()).not.toContain(secret);
}

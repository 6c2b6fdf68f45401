import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { asksToClose } from "./asks-to-close.ts";

/** Closes the dialog that shows a secret, which neither Escape nor a reload does unasked, and expects that the page then holds it nowhere. */
export async function closeSecret(page: Page, dialog: Locator, secret: string): Promise<void> {
	await page.keyboard.press("Escape");
	await page.mouse.click(2, 2);
	expect(await dialog.textContent()).toContain(secret);
	expect(await asksToClose(page)).toBe(true);
	await dialog.getByRole("button", { name: "I have saved it" }).click();
	await dialog.waitFor({ state: "detached" });
	expect(await asksToClose(page)).toBe(false);
	expect(await page.content()).not.toContain(secret);
}

import type { Page } from "playwright-core";
import { expect } from "vitest";

/** A text that a tenant, a viewer or an endpoint may write anywhere. */
export const hostileText = `<script>window.taken=1</script><img src=x onerror="window.taken=1">"'\`{{7*7}}\u202e`;

/** Expects that hostile text was shown as text, and that nothing in it ran. */
export async function expectUntaken(page: Page): Promise<void> {
	expect(await page.evaluate(() => ({ taken: (globalThis as { taken?: number }).taken ?? 0 }))).toEqual({ taken: 0 });
	expect(await page.locator("#root script, #root img[src=x]").count()).toBe(0);
}

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";

/**
 * Takes pictures of what a page shows, at 1440 and 390 pixels, light and dark, into the folder that
 * `REELMILL_CONSOLE_PICTURES` names. Without that setting it does nothing: the pictures are for whoever builds a view.
 * @param part what the pictures are to show; the top of the page without it
 */
export async function look(page: Page, name: string, part?: Locator): Promise<void> {
	const folder = process.env["REELMILL_CONSOLE_PICTURES"];
	if (folder === undefined) return;
	await mkdir(folder, { recursive: true });
	const before = page.viewportSize();
	for (const width of [1440, 390])
		for (const colorScheme of ["light", "dark"] as const) {
			await page.setViewportSize({ width, height: width === 1440 ? 900 : 844 });
			await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
			await part?.scrollIntoViewIfNeeded();
			await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
		}
	if (before) await page.setViewportSize(before);
}

import type { Page } from "playwright-core";

/** Whether the browser would ask before it closes or reloads the page. */
export const asksToClose = (page: Page): Promise<boolean> =>
	page.evaluate(() => !window.dispatchEvent(new Event("beforeunload", { cancelable: true })));

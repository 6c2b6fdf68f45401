import type { launchChromium } from "../../../packages/browser/test/support/chromium.ts";

export type Browser = Awaited<ReturnType<typeof launchChromium>>;
export type Page = Awaited<ReturnType<Browser["newPage"]>>;
export type Locator = ReturnType<Page["locator"]>;

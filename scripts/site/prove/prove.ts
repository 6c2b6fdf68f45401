import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchChromium } from "../../../packages/browser/test/support/chromium.ts";
import { root } from "../../setup/paths.mjs";
import type { makeSite } from "../make.ts";
import { serveFiles } from "./serve-files.ts";
import { proveTryIt } from "./try-it.ts";
import { proveVersions } from "./versions.ts";
import { provePages } from "./views.ts";

/**
 * Makes two versions of the site, serves them as files, and goes through them in Chromium: the switch of versions, the
 * forms of the API against a real service, the calculator, narrow and dark pages. Pictures lie in `dist/site-pictures`.
 * @throws {Error} what isn't as it should be
 */
export async function proveInChromium(make: typeof makeSite): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "reelmill-site-"));
	const pictures = join(root, "dist/site-pictures");
	rmSync(pictures, { recursive: true, force: true });
	mkdirSync(pictures, { recursive: true });
	try {
		await make({ into: folder, version: "0.1.0", older: true, base: "/" });
		// Pages that only one of them has.
		rmSync(join(folder, "v/0.1.0/guides/cost.html"));
		await make({ into: folder, version: "0.2.0", older: false, base: "/" });
		rmSync(join(folder, "guides/outros.html"));
		await proveBuilt(folder, pictures);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Goes through a folder with both versions. */
export async function proveBuilt(folder: string, pictures: string): Promise<void> {
	const site = await serveFiles(folder);
	const browser = await launchChromium();
	try {
		await proveVersions(browser, site.url, pictures);
		await proveTryIt(browser, site.url, pictures);
		await provePages(browser, site.url, pictures);
		console.log(`The site works in Chromium. Its pictures are in ${pictures}.`);
	} finally {
		await browser.close();
		site.close();
	}
}

import { sendLargeFile } from "../packages/browser/test/service/support/large-file.ts";
import { launchChromium } from "../packages/browser/test/support/chromium.ts";

const mostBytes = 150_000_000;

/**
 * Sends a sparse file of 4 GiB from Chromium, and tells how much memory all processes of the browser take for it at
 * most. Fails beyond 150 MB. The tests do the same with a smaller file.
 */
export async function largeFile(): Promise<void> {
	const browser = await launchChromium();
	try {
		const { seconds, memory } = await sendLargeFile(browser, 4 * 1024 ** 3);
		console.log(
			`large-file: 4 GiB hashed and sent in ${seconds.toFixed(1)} s with ${(memory / 1e6).toFixed(0)} MB of memory at most`,
		);
		if (memory > mostBytes) throw new Error(`The browser may take ${mostBytes / 1e6} MB.`);
	} finally {
		await browser.close();
	}
}

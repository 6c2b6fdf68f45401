import { type StartedConsole, startConsole } from "../packages/console/test/support/start-console.ts";
import { buildConsolePage } from "../scripts/console/page.mjs";
import { median } from "./median.ts";

const slowdown = 4;

/** Notes when the heading of the first view stands, and the page's thread is free to answer. */
function noteInteractive(): void {
	const times = globalThis as unknown as { interactive?: number };
	const observer = new MutationObserver(() => {
		if (document.querySelector("main h1") === null) return;
		observer.disconnect();
		requestIdleCallback(() => {
			times.interactive = performance.now();
		});
	});
	observer.observe(document, { childList: true, subtree: true });
}

/**
 * How long the console takes from the navigation until it can be used, with nothing in the browser's cache and a
 * processor that is slowed down four times, and how many bytes it loads until then. The processor time of the page's
 * thread, not slowed down, is the part of it that a busy machine does not change.
 */
export async function consolePage(rounds = 9): Promise<void> {
	await buildConsolePage();
	const console_ = await startConsole();
	try {
		const signedIn = await console_.signIn("/d/default");
		const storageState = await signedIn.context().storageState();
		await signedIn.context().close();
		const measured: { milliseconds: number; bytes: number }[] = [];
		const threads: number[] = [];
		for (let round = 0; round < rounds; round++) {
			const context = await console_.browser.newContext({ storageState, viewport: { width: 1440, height: 900 } });
			const page = await context.newPage();
			const session = await context.newCDPSession(page);
			await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
			await page.addInitScript(noteInteractive);
			await page.goto(`${console_.url}/console/d/default`);
			const interactive = await page.waitForFunction(() => (globalThis as { interactive?: number }).interactive);
			const bytes = await page.evaluate(() =>
				performance
					.getEntriesByType("resource")
					.filter(({ name }) => name.includes("/console/assets/"))
					.reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize, 0),
			);
			measured.push({ milliseconds: (await interactive.jsonValue()) ?? Number.NaN, bytes });
			await context.close();
			threads.push(await threadSeconds(console_, storageState));
		}
		const times = measured.map(({ milliseconds }) => milliseconds);
		console.log(
			`console-page: interactive after ${Math.round(median(times))} ms (${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))}) at ${slowdown}x, ${Math.round(median(measured.map(({ bytes }) => bytes)) / 1000)} kB loaded; the page's thread computes ${Math.round(median(threads) * 1000)} ms at 1x; ${rounds} rounds`,
		);
	} finally {
		await console_.close();
	}
}

type State = Awaited<ReturnType<ReturnType<StartedConsole["browser"]["contexts"]>[number]["storageState"]>>;

/** The processor time of the page's thread until the heading of the first view stands. */
async function threadSeconds({ browser, url }: StartedConsole, storageState: State): Promise<number> {
	const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } });
	const page = await context.newPage();
	const session = await context.newCDPSession(page);
	await session.send("Performance.enable", { timeDomain: "threadTicks" });
	await page.goto(`${url}/console/d/default`);
	await page.locator("main h1").waitFor();
	const { metrics } = await session.send("Performance.getMetrics");
	await context.close();
	return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
}

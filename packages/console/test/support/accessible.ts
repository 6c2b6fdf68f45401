import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const axe = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Expects that axe finds nothing in what the page shows now: all of its rules in light, and in dark that of contrast,
 * which is all that the colours change.
 */
export async function checkAccessible(page: Page): Promise<void> {
	await page.evaluate(await axe);
	for (const [colorScheme, options] of [
		["light", {}],
		["dark", { runOnly: ["color-contrast"] }],
	] as const) {
		await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
		const { violations } = await page.evaluate(
			(asked) => (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(asked),
			options,
		);
		const found = violations.flatMap(({ id, nodes }) =>
			nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
		);
		expect(found, colorScheme).toEqual([]);
	}
}

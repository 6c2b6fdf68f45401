import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const axe = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Expects that axe finds nothing in what the page shows now, in light and in dark. */
export async function checkAccessible(page: Page): Promise<void> {
	for (const colorScheme of ["light", "dark"] as const) {
		await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
		await page.evaluate(await axe);
		const { violations } = await page.evaluate(() =>
			(globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
		);
		const found = violations.flatMap(({ id, nodes }) =>
			nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
		);
		expect(found, colorScheme).toEqual([]);
	}
}

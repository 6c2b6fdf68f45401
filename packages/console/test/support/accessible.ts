import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const axe = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** All of axe's rules in light, and in dark that of contrast, which is all that the colours change. */
const rules = { light: {}, dark: { runOnly: ["color-contrast"] } };
/** Nobody reads what the rules found to be right. */
const resultTypes = ["violations"];

/**
 * Expects that axe finds nothing in what the page, or a part of it, shows now, in each of the colour schemes.
 * @param except the rules that a library's own markup breaks
 */
export async function checkAccessible(
	page: Page,
	schemes: readonly (keyof typeof rules)[] = ["light", "dark"],
	part = "html",
	except: readonly string[] = [],
): Promise<void> {
	if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(await axe);
	for (const colorScheme of schemes) {
		await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
		// A page hears of another scheme before it draws its next frame.
		await page.evaluate(() => new Promise(requestAnimationFrame));
		const { violations } = await page.evaluate(
			([what, options]) =>
				(globalThis as unknown as { axe: { run(what: string, options: object): Promise<AxeResults> } }).axe.run(
					what,
					options,
				),
			[part, { ...rules[colorScheme], resultTypes }] as const,
		);
		const found = violations
			.filter(({ id }) => !except.includes(id))
			.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
		expect(found, colorScheme).toEqual([]);
	}
}

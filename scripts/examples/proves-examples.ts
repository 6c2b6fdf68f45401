import { afterAll, beforeAll, expect, it } from "vitest";
import { type Example, readExamples } from "../documents/read-examples.ts";
import { comparable, expectedOutput } from "./expected-output.ts";
import { type RunOptions, runInNode } from "./run.ts";

/** What the examples of a package find when they run. */
export type ExampleSetting = Pick<RunOptions, "environment" | "files"> & {
	/** Texts of the examples, such as an address, and the text that replaces each when the example runs. */
	readonly replace?: Readonly<Record<string, string>>;
	/** Runs an example and returns what it printed (default: as a Node program of its own). */
	readonly run?: (code: string, example: Example) => Promise<string>;
	/** Ends what the setting has started. */
	readonly close?: () => Promise<unknown>;
};

/**
 * Runs every example of a package as a test, and compares what it prints with the values after `// =>`.
 * @param packageFolder its folder under `packages/`; an app's begins with `../apps/`
 * @param prepare makes the setting once, before the first example
 */
export function provesExamples(
	packageFolder: string,
	prepare: () => ExampleSetting | Promise<ExampleSetting> = () => ({}),
): void {
	let setting: ExampleSetting = {};
	beforeAll(async () => {
		setting = await prepare();
	});
	afterAll(() => setting.close?.());
	const rows = readExamples(packageFolder).map((example) => [`${example.file}:${example.line}`, example] as const);
	it.each(rows)("the example at %s gives what it says", async (_place, example) => {
		let code = example.code;
		for (const [text, replacement] of Object.entries(setting.replace ?? {})) code = code.replaceAll(text, replacement);
		const run = setting.run ?? ((text: string) => runInNode(text, { ...setting, packageFolder }));
		expect(comparable(await run(code, example))).toMatch(expectedOutput(code));
	});
}

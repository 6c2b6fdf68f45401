import type { Reporter, TestModule } from "vitest/node";

const shown = 10;

/** Prints the ten slowest test files at the end of a run that has more of them. */
export default class SlowestFiles implements Reporter {
	onTestRunEnd(modules: readonly TestModule[]): void {
		if (modules.length > shown) console.log(slowestFiles(modules.map(fileOf)));
	}
}

type TestFile = { readonly path: string; readonly milliseconds: number };

const fileOf = (module: TestModule): TestFile => ({
	path: module.relativeModuleId,
	milliseconds: module.diagnostic().duration,
});

/** Returns the ten slowest files, a line each, the slowest first. */
export function slowestFiles(files: readonly TestFile[]): string {
	const slowest = [...files].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, shown);
	const lines = slowest.map(({ path, milliseconds }) => `  ${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${path}`);
	return ["\nThe ten slowest files", ...lines].join("\n");
}

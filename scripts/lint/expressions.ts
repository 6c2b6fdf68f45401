import type { Step } from "../steps.ts";
import { tool } from "../tool.ts";

const argumentsWith = (configuration: string): string[] => [
	...["--config", `scripts/lint/${configuration}`, "--no-color", "--max-warnings=0"],
	...["packages/*/src/**", "apps/*/src/**"],
];

/** Two detectors of expressions whose time grows faster than their text. Each sees what the other can't. */
export const expressions: Step = {
	name: "no slow expressions",
	program: tool("eslint"),
	args: argumentsWith("expressions.mjs"),
};
export const triedExpressions: Step = {
	name: "no slow expressions, by trying texts",
	program: tool("eslint"),
	args: argumentsWith("tried-expressions.mjs"),
};

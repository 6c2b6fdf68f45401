import parser from "@typescript-eslint/parser";
import regexp from "eslint-plugin-regexp";

/**
 * Refuses expressions whose time grows faster than their text, as far as reading them shows it.
 * @type {import("eslint").Linter.Config[]}
 */
const configuration = [
	{
		files: ["**/*.ts", "**/*.mjs"],
		languageOptions: { parser },
		plugins: { regexp },
		rules: {
			"regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
			"regexp/no-super-linear-move": ["error", { report: "potential" }],
		},
	},
];

export default configuration;

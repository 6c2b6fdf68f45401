import parser from "@typescript-eslint/parser";
import redos from "eslint-plugin-redos";
import regexp from "eslint-plugin-regexp";

// In this process: the detector's own agent is a program and a thread beside it, and a busy machine lost one of them.
process.env.RECHECK_SYNC_BACKEND = "pure";

/**
 * Refuses expressions whose time grows faster than their text: as far as reading them shows it, and by trying texts,
 * which finds `a.*b` and takes a minute of a processor. That counts its steps and goes by no clock.
 * @type {import("eslint").Linter.Config[]}
 */
const configuration = [
	{
		files: ["**/*.ts", "**/*.mjs"],
		languageOptions: { parser },
		plugins: { regexp, redos },
		rules: {
			"regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
			"regexp/no-super-linear-move": ["error", { report: "potential" }],
			"redos/no-vulnerable": [
				"error",
				{ ignoreErrors: false, timeout: null, seedingTimeout: null, incubationTimeout: null, attackTimeout: null },
			],
		},
	},
];

export default configuration;

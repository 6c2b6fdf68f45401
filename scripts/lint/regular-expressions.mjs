import parser from "@typescript-eslint/parser";
import redos from "eslint-plugin-redos";
import regexp from "eslint-plugin-regexp";

// In this process: the detector's own agent is a program and a thread beside it, and a busy machine lost one of them.
process.env.RECHECK_SYNC_BACKEND = "pure";

/**
 * Refuses expressions whose time grows faster than their text. Each of the two detectors sees what the other can't:
 * `regexp` reads through constants of `new RegExp`, `redos` tries texts and so finds `a.*b`.
 */
export default [
	{
		files: ["**/*.ts", "**/*.mjs"],
		languageOptions: { parser },
		linterOptions: { reportUnusedDisableDirectives: "error" },
		plugins: { redos, regexp },
		rules: {
			"redos/no-vulnerable": ["error", { timeout: 10_000 }],
			"regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
			"regexp/no-super-linear-move": ["error", { report: "potential" }],
		},
	},
];

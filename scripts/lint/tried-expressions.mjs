import parser from "@typescript-eslint/parser";
import redos from "eslint-plugin-redos";

// In this process: the detector's own agent is a program and a thread beside it, and a busy machine lost one of them.
process.env.RECHECK_SYNC_BACKEND = "pure";

/**
 * Refuses expressions whose time grows faster than their text, by trying texts: this finds `a.*b`, and takes a minute
 * of a processor. It counts its steps and goes by no clock, so that a busy machine makes nothing slow.
 * @type {import("eslint").Linter.Config[]}
 */
const configuration = [
	{
		files: ["**/*.ts", "**/*.mjs"],
		languageOptions: { parser },
		plugins: { redos },
		rules: {
			"redos/no-vulnerable": [
				"error",
				{ ignoreErrors: false, timeout: null, seedingTimeout: null, incubationTimeout: null, attackTimeout: null },
			],
		},
	},
];

export default configuration;

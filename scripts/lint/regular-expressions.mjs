import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import parser from "@typescript-eslint/parser";
import redos from "eslint-plugin-redos";
import regexp from "eslint-plugin-regexp";

// In this process: the detector's own agent is a program and a thread beside it, and a busy machine lost one of them.
process.env.RECHECK_SYNC_BACKEND = "pure";

// An expression that stands in several files is tried once.
const judged = mkdtempSync(join(tmpdir(), "reelmill-expressions-"));
process.once("exit", () => rmSync(judged, { recursive: true }));

/**
 * Refuses expressions whose time grows faster than their text. Each of the two detectors sees what the other can't:
 * `regexp` reads through constants of `new RegExp`, `redos` tries texts and so finds `a.*b`. It refuses what it can't
 * judge as well; the slowest expression takes two seconds of a processor. It counts its steps, and goes by no clock: on
 * a busy machine it would take an expression for slow whose trial was.
 * @type {import("eslint").Linter.Config[]}
 */
const configuration = [
	{
		files: ["**/*.ts", "**/*.mjs"],
		languageOptions: { parser },
		linterOptions: { reportUnusedDisableDirectives: "error" },
		plugins: { redos, regexp },
		rules: {
			"redos/no-vulnerable": [
				"error",
				{
					ignoreErrors: false,
					timeout: null,
					seedingTimeout: null,
					incubationTimeout: null,
					attackTimeout: null,
					cache: { location: join(judged, "judged.json"), strategy: "aggressive" },
				},
			],
			"regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
			"regexp/no-super-linear-move": ["error", { report: "potential" }],
		},
	},
];

export default configuration;

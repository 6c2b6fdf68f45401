import { relative } from "node:path";
import type { JsonTestResults } from "vitest/node";
import { root } from "../setup/paths.mjs";

/** A test, or a whole file that could not begin, with what it said. */
export type Failure = { readonly file: string; readonly name: string; readonly message: string };

/** Each failure of vitest's report, in its order. */
export const failuresOf = ({ testResults }: Pick<JsonTestResults, "testResults">): Failure[] =>
	testResults
		.filter(({ status }) => status === "failed")
		.flatMap(({ name: file, message, assertionResults }) => {
			const tests = assertionResults
				.filter(({ status }) => status === "failed")
				.map(({ fullName, failureMessages }) => ({
					file,
					name: fullName,
					message: (failureMessages ?? []).join("\n"),
				}));
			return tests.length > 0 ? tests : [{ file, name: "the file itself", message }];
		});

const longest = 2000;

export function printFailures(title: string, failures: readonly Failure[]): void {
	if (failures.length === 0) return;
	console.log(`\n${title}`);
	for (const { file, name, message } of failures)
		console.log(`  ${file}\n    ${name}\n${message.slice(0, longest).replaceAll(/^/gm, "    ")}`);
}

const shortest = 200;

/** A failure in one line: where, which test, and the first line of what it said. */
export const inOneLine = ({ file, name, message }: Failure): string =>
	`${relative(root, file)}: ${name}: ${message.split("\n")[0]?.slice(0, shortest)}`;

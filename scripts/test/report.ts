import { relative } from "node:path";
import { root } from "../setup/paths.mjs";

/** What is read of vitest's JSON report. */
export type Report = {
	readonly numPassedTests: number;
	readonly numFailedTests: number;
	readonly numTotalTests: number;
	readonly testResults: readonly {
		readonly name: string;
		readonly status: string;
		readonly message: string;
		readonly assertionResults: readonly {
			readonly status: string;
			readonly fullName: string;
			readonly failureMessages?: readonly string[] | null;
		}[];
	}[];
};

/** A test, or a whole file that could not begin, with what it said. */
export type Failure = { readonly file: string; readonly name: string; readonly message: string };

/** Each failure of a report, in its order. */
export const failuresOf = ({ testResults }: Pick<Report, "testResults">): Failure[] =>
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

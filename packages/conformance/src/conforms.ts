import type { Case, Opened, Runner } from "./case.ts";

/**
 * Runs one case on a fresh subject, and closes the subject afterwards. Rejects if the case fails.
 *
 * @example
 * ```ts
 * import { objectStorageCases, runCase } from "@reelmill/conformance";
 * import { createLocalObjectStorage } from "@reelmill/storage-local";
 *
 * const open = async () => {
 * 	const create = () => createLocalObjectStorage({ directory: "./outputs" });
 * 	return { subject: { storage: create(), elsewhere: create() }, close: async () => {} };
 * };
 * const [first] = objectStorageCases;
 * if (first) await runCase(first, open);
 * console.log("the adapter keeps the first promise"); // => the adapter keeps the first promise
 * ```
 */
export async function runCase<Subject>(each: Case<Subject>, open: () => Promise<Opened<Subject>>): Promise<void> {
	const { subject, close } = await open();
	try {
		await each.run(subject);
	} finally {
		await close();
	}
}

/**
 * Registers `cases` as tests of an adapter. `capabilities` are those that the adapter declares; a case that needs
 * another one isn't registered.
 *
 * @example
 * ```ts
 * import { conforms, objectStorageCases } from "@reelmill/conformance";
 * import { createLocalObjectStorage } from "@reelmill/storage-local";
 *
 * const open = async () => {
 * 	const create = () => createLocalObjectStorage({ directory: "./outputs" });
 * 	return { subject: { storage: create(), elsewhere: create() }, close: async () => {} };
 * };
 * const titles: string[] = [];
 * const describe = (_title: string, body: () => void) => body(); // your runner's: vitest, node:test, Jest, Mocha
 * const it = (title: string) => titles.push(title);
 * conforms("my object storage", objectStorageCases, open, { describe, it });
 * console.log(titles.length > 0); // => true
 * ```
 */
export function conforms<Subject>(
	name: string,
	cases: readonly Case<Subject>[],
	open: () => Promise<Opened<Subject>>,
	runner: Runner,
	capabilities: readonly string[] = [],
): void {
	runner.describe(`${name} conforms`, () => {
		for (const each of cases) {
			if (each.needs !== undefined && !capabilities.includes(each.needs)) continue;
			runner.it(each.name, () => runCase(each, open));
		}
	});
}

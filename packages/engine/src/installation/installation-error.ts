/** What doesn't belong to the database. Fingerprints and marks may be shown. */
export type Mismatch =
	/**
	 * `newest` is the schema that the database has, which came with `release`; `known` is the newest that this engine
	 * knows.
	 */
	| { readonly what: "schema"; readonly newest: string; readonly release: string; readonly known: string }
	/** The schema was made before the first release. No migration begins there. */
	| { readonly what: "unreleased_schema" }
	/** Fingerprints of the key that secrets are sealed under, and of the key that was given. */
	| { readonly what: "master_key"; readonly inForce: string; readonly given: string }
	/** Marks of the storage that the files lie in, and of the storage that was given (`null` if it has none). */
	| { readonly what: "storage"; readonly noted: string; readonly found: string | null };

const sentences: { readonly [K in Mismatch["what"]]: (mismatch: Extract<Mismatch, { what: K }>) => string } = {
	schema: ({ newest, release, known }) =>
		`The database has the schema ${newest}, which came with Reelmill ${release}, and this version knows ${known} at most: start ${release} or a later version.`,
	unreleased_schema: () =>
		"The database has a schema of before the first release, and no migration begins there: give an empty database, and upload the videos anew.",
	master_key: ({ inForce, given }) =>
		`The master key (fingerprint ${given}) is not the one that the database's secrets are sealed under (${inForce}): give that one as masterKey, or among previousMasterKeys.`,
	storage: ({ noted, found }) =>
		`The uploads and outputs of this database lie in the storage with the mark ${noted}, and the one given has ${found === null ? "none" : found}: give the other one.`,
};

/**
 * An engine was given something that doesn't belong to its database. It did not start and has changed nothing.
 *
 * @example
 * ```ts
 * import { InstallationError } from "@reelmill/engine";
 *
 * const error = new InstallationError({ what: "master_key", inForce: "01", given: "02" });
 * console.log(error.mismatch.what); // => master_key
 * ```
 */
export class InstallationError extends Error {
	override readonly name = "InstallationError";
	readonly mismatch: Mismatch;

	constructor(mismatch: Mismatch) {
		super((sentences[mismatch.what] as (mismatch: Mismatch) => string)(mismatch));
		this.mismatch = mismatch;
	}
}

/**
 * Returns whether `error` is an {@link InstallationError}, of this copy of the package or another.
 *
 * @example
 * ```ts
 * import { InstallationError, isInstallationError } from "@reelmill/engine";
 *
 * const error = new InstallationError({ what: "storage", noted: "a", found: null });
 * console.log(isInstallationError(error)); // => true
 * ```
 */
export const isInstallationError = (error: unknown): error is InstallationError =>
	error instanceof Error && error.name === "InstallationError" && "mismatch" in error;

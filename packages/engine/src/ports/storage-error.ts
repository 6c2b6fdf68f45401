/**
 * What kept a storage from doing its part: `unreachable` (no connection, a refused address, no answer), `credentials`
 * (refused, or not allowed to do this), `bucket` (there is none of this name), `failed` (the answer is an error, or
 * bytes don't agree).
 */
export type StorageFault = "unreachable" | "credentials" | "bucket" | "failed";

/**
 * A storage can't do its part now. The message may be shown to the storage's owner: it holds no secret and nothing of
 * an answer's body.
 *
 * @example
 * ```ts
 * import { StorageError } from "@reelmill/engine";
 *
 * const error = new StorageError("credentials", "The key is refused");
 * console.log(error.fault); // => credentials
 * ```
 */
export class StorageError extends Error {
	override readonly name = "StorageError";
	readonly fault: StorageFault;
	/** The provider's own name of the error and the status of its answer, if it gave one: `AccessDenied (HTTP 403)`. */
	readonly providerSaid: string | null;

	constructor(
		fault: StorageFault,
		message: string,
		options?: { readonly cause?: unknown; readonly providerSaid?: string | null },
	) {
		super(message, options);
		this.fault = fault;
		this.providerSaid = options?.providerSaid ?? null;
	}
}

/**
 * Returns whether `error` is a {@link StorageError}, of this copy of the package or another.
 *
 * @example
 * ```ts
 * import { isStorageError, StorageError } from "@reelmill/engine";
 *
 * console.log(isStorageError(new StorageError("bucket", "There is no such bucket"))); // => true
 * ```
 */
export const isStorageError = (error: unknown): error is StorageError =>
	error instanceof Error && error.name === "StorageError" && "fault" in error;

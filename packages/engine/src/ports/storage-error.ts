/**
 * What kept a storage from doing its part: `unreachable` (no connection, a refused address, no answer), `credentials`
 * (refused, or not allowed to do this), `bucket` (there is none of this name), `failed` (an answer that is an error, or
 * bytes that don't agree).
 */
export type StorageFault = "unreachable" | "credentials" | "bucket" | "failed";

/**
 * A storage that can't do its part now. The message may be shown to the storage's owner: it holds no secret, and no
 * answer's body.
 */
export class StorageError extends Error {
	override readonly name = "StorageError";
	readonly fault: StorageFault;

	constructor(fault: StorageFault, message: string, options?: { readonly cause?: unknown }) {
		super(message, options);
		this.fault = fault;
	}
}

/** Whether `error` is a {@link StorageError}, of this copy of the package or another. */
export const isStorageError = (error: unknown): error is StorageError =>
	error instanceof Error && error.name === "StorageError" && "fault" in error;

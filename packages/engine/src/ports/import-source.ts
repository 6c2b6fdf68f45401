import type { Bytes } from "./object-storage.ts";

/** Which file, and where its bytes are to begin. */
export type ImportRequest = {
	/** By http or https; it may have a user name and a password, which are for this origin alone. */
	readonly url: string;
	/** How many bytes are here already. */
	readonly offset: number;
	/** The `validator` of the answer that these bytes are of; `null` if there are none, or it had none. */
	readonly validator: string | null;
};

/** What an origin answers, and the bytes. */
export type ImportAnswer = {
	/** The whole file's size in bytes; `null` if the origin doesn't say it. */
	readonly size: number | null;
	/** The Content-Type without parameters, in lower case; `null` if there is none. */
	readonly contentType: string | null;
	/**
	 * What tells this file from any that takes its place: a strong ETag, or else the Last-Modified; `null` if there is
	 * neither.
	 */
	readonly validator: string | null;
	/** Where the bytes begin: at the offset that was asked for, or at 0 if the origin gives only the whole. */
	readonly offset: number;
	/**
	 * The bytes to the file's end. It throws if the connection breaks off before it. Leaving the iteration early, or not
	 * beginning it and aborting the signal, closes the connection.
	 */
	readonly bytes: Bytes;
};

/** Why a file isn't given: the words of the contract's `importFailures`. */
export type ImportSourceFault =
	| "address_refused"
	| "address_unreachable"
	| "too_many_redirects"
	| "source_refused"
	| "source_unavailable";

/**
 * An origin doesn't give the file. The message is shown to the tenant: it holds nothing of the address but its host.
 *
 * @example
 * ```ts
 * import { ImportSourceError } from "@reelmill/engine";
 *
 * const error = new ImportSourceError("source_refused", "files.example answers 404.", { isFinal: true });
 * console.log(error.code, error.isFinal); // => source_refused true
 * ```
 */
export class ImportSourceError extends Error {
	override readonly name = "ImportSourceError";
	readonly code: ImportSourceFault;
	/** Whether no later attempt can help. */
	readonly isFinal: boolean;
	/** How long the origin asks to wait; `null` if it doesn't say so. */
	readonly retryAfterSeconds: number | null;
	constructor(
		code: ImportSourceFault,
		message: string,
		options: { readonly isFinal?: boolean; readonly retryAfterSeconds?: number | null; readonly cause?: unknown } = {},
	) {
		super(message, { cause: options.cause });
		this.code = code;
		this.isFinal = options.isFinal ?? false;
		this.retryAfterSeconds = options.retryAfterSeconds ?? null;
	}
}

/**
 * Returns whether `error` is an {@link ImportSourceError}, of this copy of the package or another.
 *
 * @example
 * ```ts
 * import { ImportSourceError, isImportSourceError } from "@reelmill/engine";
 *
 * console.log(isImportSourceError(new ImportSourceError("source_refused", "files.example answers 404."))); // => true
 * ```
 */
export const isImportSourceError = (error: unknown): error is ImportSourceError =>
	error instanceof Error && error.name === "ImportSourceError" && "isFinal" in error;

/** Gets files from addresses that tenants gave. */
export interface ImportSource {
	/**
	 * Asks for the file from `offset` on, and returns once the origin has begun to answer. With a `validator`, an origin
	 * whose file is another by now gives the whole new one; the answer's own `validator` shows it.
	 *
	 * Private, loopback, link-local and metadata addresses are refused unless the operator allowed them, on every
	 * connection anew; the address that was checked is the one connected to. At most five redirects are followed, each
	 * through the same checks. It may wait as long as the origin does: the caller aborts `signal`, which ends the bytes,
	 * too.
	 *
	 * @throws {ImportSourceError} when the origin doesn't give the file.
	 */
	open(request: ImportRequest, signal: AbortSignal): Promise<ImportAnswer>;
	/**
	 * Returns `null` if `url` may be stored, otherwise why not: it must be http or https, with a name, or with an address
	 * that isn't blocked as it stands. A name isn't resolved.
	 */
	refusal(url: string): string | null;
	/** Closes open connections. */
	close(): Promise<void>;
}

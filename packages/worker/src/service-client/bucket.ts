import { ConnectionError } from "@reelmill/client";

/** A tenant named the address of these bytes, and the worker has no guarded `fetch` for such addresses. */
export class UnguardedError extends Error {
	override readonly name = "UnguardedError";
}

/** A bucket of the platform can't be reached from here. One of a tenant's says nothing of this worker. */
export class BucketUnreachableError extends ConnectionError {
	/** Where the bucket is. */
	readonly origin: string;
	constructor(origin: string, options: { cause: unknown }) {
		super("unreachable", "The bucket is not reachable, or the connection broke.", options);
		this.origin = origin;
	}
}

export type BucketFetches = {
	readonly fetch?: typeof fetch;
	/** Reaches tenants' buckets, whose addresses may lead anywhere (default: none, and such a bucket is not reached). */
	readonly fetchFromTenants?: typeof fetch;
};

/** Returns the `fetch` for a bucket of this owner; undefined if the worker must not reach it. */
export const fetchForOwner = (owner: string | null, fetches: BucketFetches): typeof fetch | undefined =>
	owner === "platform" ? (fetches.fetch ?? fetch) : fetches.fetchFromTenants;

/**
 * Sends a request to a presigned address and returns the answer, its body unread. Neither the address nor what the
 * bucket says appears in an error: the address is a credential, and the text may be anything.
 *
 * @throws {ConnectionError} when the bucket can't be reached.
 * @throws {Error} when the bucket refuses.
 */
export async function askBucket(send: typeof fetch, address: string, init: RequestInit): Promise<Response> {
	const response = await send(address, init).catch((cause: unknown) => {
		if (init.signal?.aborted) throw init.signal.reason;
		throw new ConnectionError("unreachable", "The bucket is not reachable, or the connection broke.", { cause });
	});
	// An earlier put stored the file, and only its answer was lost.
	const isThere = init.method === "PUT" && response.status === 412;
	if (response.ok || isThere) return response;
	await response.body?.cancel();
	throw new Error(`The bucket answered ${response.status}.`);
}

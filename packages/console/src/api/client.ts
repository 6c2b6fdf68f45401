import { type CallableName, type CallInput, type CallResult, ConnectionError, createClient } from "@reelmill/client";
import { setConnection } from "./connection.ts";

export type Caller = <K extends CallableName>(
	name: K,
	input: CallInput<K>,
	options?: { signal?: AbortSignal },
) => Promise<CallResult<K>>;

/**
 * Calls the server that the page came from, as the browser's session. Tenant operations are meant for `domainId`. Reads
 * that fail are tried again by the query cache, so that the page shows meanwhile what it has.
 */
export function createCaller(domainId: string | null): Caller {
	const client = createClient({
		baseUrl: window.location.origin,
		retry: { limit: 1, longestWaitSeconds: 2 },
		timeoutSeconds: 45,
		fetch: (input, init) => {
			const request = new Request(input, init);
			request.headers.set("x-service-console", "1");
			if (domainId !== null) request.headers.set("x-service-domain", domainId);
			return fetch(request, { credentials: "same-origin", cache: "no-store" });
		},
	});
	return async (name, input, options) => {
		try {
			const result = await client.call(name, input, options);
			setConnection("found");
			return result;
		} catch (error) {
			if (!options?.signal?.aborted) setConnection(error instanceof ConnectionError ? "lost" : "found");
			throw error;
		}
	};
}

import { Agent, fetch as send } from "undici";
import { createAddressRules } from "./address-rules.ts";
import { createGuardedConnector } from "./guarded-connector.ts";
import type { Lookup } from "./lookup.ts";

export type GuardedFetchOptions = {
	/** Ranges that may be reached beside public addresses, each like `10.0.0.0/8`. */
	readonly allow: readonly string[];
	/** How names become addresses. */
	readonly lookup?: Lookup;
};

export type GuardedFetch = {
	/**
	 * As the platform's `fetch`, through the guarded connector alone. It follows no redirect: one rejects, as a blocked
	 * address does (`cause` is the BlockedAddressError).
	 */
	readonly fetch: typeof fetch;
	/** Ends every connection. */
	close(): Promise<void>;
};

/**
 * A `fetch` for addresses that come from outside.
 *
 * @throws TypeError that names an entry of `allow` which is no range.
 */
export function createGuardedFetch({ allow, lookup }: GuardedFetchOptions): GuardedFetch {
	const connect = createGuardedConnector({ rules: createAddressRules(allow), ...(lookup ? { lookup } : {}) });
	const dispatcher = new Agent({ connect, allowH2: false });
	return {
		// Both speak of the same standard; only their declarations are two.
		fetch: ((input: string | URL, init?: object) =>
			send(input, { ...init, redirect: "error", dispatcher })) as unknown as typeof fetch,
		close: () => dispatcher.destroy(),
	};
}

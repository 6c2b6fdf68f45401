import { Agent, fetch as send } from "undici";
import type { Lookup } from "../names/lookup.ts";
import { createAddressRules } from "./address-rules.ts";
import { createGuardedConnector } from "./guarded-connector.ts";

/** Which addresses are allowed beside public ones. */
export type GuardedFetchOptions = {
	/** Address ranges, each like `10.0.0.0/8`, that may be reached in addition to public addresses. */
	readonly allow: readonly string[];
	/** Resolves names to addresses. */
	readonly lookup?: Lookup;
};

/** A `fetch` that reaches no private address. */
export type GuardedFetch = {
	/**
	 * Works like the platform's `fetch`, but only through the guarded connector. It follows no redirect: a redirect
	 * rejects, and so does a blocked address (`cause` is the BlockedAddressError).
	 */
	readonly fetch: typeof fetch;
	/** Closes every connection. */
	close(): Promise<void>;
};

/**
 * Makes a `fetch` for addresses that come from outside.
 *
 * @throws {TypeError} when an entry of `allow` isn't a range; the message names it.
 *
 * @example
 * ```ts
 * import { createGuardedFetch } from "@reelmill/outbound";
 *
 * const { fetch, close } = createGuardedFetch({ allow: ["10.20.0.0/16"] });
 * const outcome = await fetch("http://169.254.169.254/latest/meta-data").catch(() => "refused");
 * await close();
 * console.log(outcome); // => refused
 * ```
 */
export function createGuardedFetch({ allow, lookup }: GuardedFetchOptions): GuardedFetch {
	const connect = createGuardedConnector({ rules: createAddressRules(allow), ...(lookup ? { lookup } : {}) });
	const dispatcher = new Agent({ connect, allowH2: false });
	return {
		// Both follow the same standard; only their declarations differ.
		fetch: ((input: string | URL, init?: object) =>
			send(input, { ...init, redirect: "error", dispatcher })) as unknown as typeof fetch,
		close: () => dispatcher.destroy(),
	};
}

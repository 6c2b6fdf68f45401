import { isIP, type Socket } from "node:net";
import type { Lookup } from "../names/lookup.ts";
import { createResolver } from "../names/resolver.ts";
import type { AddressRules } from "./address-rules.ts";

/**
 * The host is an address that may not be reached, or its name has one.
 *
 * @example
 * ```ts
 * import { BlockedAddressError, createGuardedFetch } from "@reelmill/outbound";
 *
 * const guarded = createGuardedFetch({ allow: [] });
 * const error: unknown = await guarded.fetch("http://127.0.0.1/").catch((reason: unknown) => reason);
 * await guarded.close();
 * console.log(error instanceof Error && error.cause instanceof BlockedAddressError); // => true
 * ```
 */
export class BlockedAddressError extends Error {
	override readonly name = "BlockedAddressError";
	readonly code = "BLOCKED_ADDRESS";
}

/** Which addresses are allowed beside public ones, and how names are looked up. */
export type GuardedConnectorOptions = {
	readonly rules: AddressRules;
	/**
	 * How long the name's resolution, and then the connection to each address, may take, in milliseconds (default: 5000).
	 */
	readonly connectTimeoutMilliseconds?: number;
	/** Resolves names to addresses (default: a resolver of its own, see `createResolver`). */
	readonly lookup?: Lookup;
};

/** The same options, all of them given. */
export type Guard = Required<GuardedConnectorOptions>;

export const guardOf = (options: GuardedConnectorOptions): Guard => ({
	connectTimeoutMilliseconds: 5000,
	...options,
	lookup: options.lookup ?? createResolver(),
});

/**
 * Returns all addresses of `host`, if each of them may be reached.
 *
 * @throws {BlockedAddressError} when any of them may not be reached.
 * @throws {Error} with the code ENOTFOUND when there is none.
 */
export async function checkedAddresses(
	host: string,
	{ rules, lookup, connectTimeoutMilliseconds }: Guard,
): Promise<readonly string[]> {
	const addresses = isIP(host) ? [host] : await within(connectTimeoutMilliseconds, lookup(host));
	if (addresses.length === 0) throw Object.assign(new Error(`${host} has no address`), { code: "ENOTFOUND" });
	for (const address of addresses)
		if (!rules.allows(address)) throw new BlockedAddressError(`${host} is at a blocked address`);
	return addresses;
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(
			() => reject(Object.assign(new Error("The name's servers don't answer"), { code: "ETIMEOUT" })),
			milliseconds,
		);
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/**
 * Returns why a socket that has just connected must not be used; `null` if what it reached is allowed. One that was
 * reset meanwhile has no address any more: that says nothing of the address.
 */
export function refusalOf({ remoteAddress }: Pick<Socket, "remoteAddress">, host: string, rules: AddressRules) {
	if (remoteAddress === undefined)
		return Object.assign(new Error(`${host} closed the connection`), { code: "ECONNRESET" });
	return rules.allows(remoteAddress) ? null : new BlockedAddressError(`${host} led to a blocked address`);
}

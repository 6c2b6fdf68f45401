import { isIP } from "node:net";
import type { AddressRules } from "./address-rules.ts";
import type { Lookup } from "./lookup.ts";
import { createResolver } from "./resolver.ts";

/** The host is, or one of its name's addresses is, one that may not be reached. */
export class BlockedAddressError extends Error {
	override readonly name = "BlockedAddressError";
	readonly code = "BLOCKED_ADDRESS";
}

export type GuardedConnectorOptions = {
	readonly rules: AddressRules;
	/**
	 * How long the name's resolution, and then the connection to each address, may take, in milliseconds. Default 5000.
	 */
	readonly connectTimeoutMilliseconds?: number;
	/** How names become addresses. Default: a resolver of its own (`createResolver`). */
	readonly lookup?: Lookup;
};

/** The same, with everything told. */
export type Guard = Required<GuardedConnectorOptions>;

export const guardOf = (options: GuardedConnectorOptions): Guard => ({
	connectTimeoutMilliseconds: 5000,
	...options,
	lookup: options.lookup ?? createResolver(),
});

/**
 * All addresses of `host`, each one that may be reached.
 *
 * @throws BlockedAddressError when any of them may not; an error of code ENOTFOUND when there is none
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

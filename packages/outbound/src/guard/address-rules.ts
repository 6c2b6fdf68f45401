import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Cidr = readonly [Address, number];

/** Says which addresses may be reached. */
export type AddressRules = {
	/** Whether `address` is public or allowed. Returns false if it isn't an address. */
	allows(address: string): boolean;
};

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
/**
 * Public addresses that only a cloud's own machines reach: Azure's wire server, which gives a machine its secrets, and
 * the ranges of IBM Cloud's service endpoints. The metadata servers of all other clouds lie in ranges that RFCs
 * reserve.
 */
const insideClouds = ["168.63.129.16/32", "161.26.0.0/16", "166.8.0.0/14"].map((range) => ipaddr.IPv4.parseCIDR(range));

/**
 * Parses address ranges, each like `10.0.0.0/8` or `fd00::/8`; a single address counts as one.
 *
 * @throws {TypeError} when an entry isn't a range; the message names the first one.
 *
 * @example
 * ```ts
 * import { parseCidrs } from "@reelmill/outbound";
 *
 * console.log(parseCidrs(["10.0.0.0/8", "fd00::/8"]).length); // => 2
 * ```
 */
export function parseCidrs(list: readonly string[]): Cidr[] {
	return list.map((entry) => {
		try {
			if (entry.includes("/")) return ipaddr.parseCIDR(entry.trim());
			const address = ipaddr.parse(entry.trim());
			return [address, address.kind() === "ipv4" ? 32 : 128];
		} catch (error) {
			throw new TypeError(`Not an address range like 10.0.0.0/8 or fd00::/8: ${JSON.stringify(entry)}`, {
				cause: error,
			});
		}
	});
}

/**
 * Makes rules that let public addresses be reached, and those in `allow`. Everything that RFCs reserve is refused, and
 * so is what only a cloud's own machines reach. An address that isn't known to be public isn't public.
 *
 * @throws {TypeError} when an entry of `allow` isn't a range; the message names it.
 *
 * @example
 * ```ts
 * import { createAddressRules } from "@reelmill/outbound";
 *
 * const rules = createAddressRules(["10.20.0.0/16"]);
 * const allowed = ["8.8.8.8", "10.20.0.1", "169.254.169.254"].map(rules.allows);
 * console.log(allowed); // => [ true, true, false ]
 * ```
 */
export function createAddressRules(allow: readonly string[]): AddressRules {
	const allowed = parseCidrs(allow);
	return {
		allows(text) {
			const plain = canonical(text);
			if (plain === null) return false;
			// To the system an IPv4-mapped address is the IPv4 address.
			const address = ipaddr.process(plain);
			return (
				allowed.some(([network, length]) => network.kind() === address.kind() && address.match(network, length)) ||
				isPublic(address)
			);
		},
	};
}

/**
 * ipaddr.js takes `::8.8.8.8` for a mapped address, which it isn't; the URL parser writes both in hexadecimal. A zone
 * says nothing about the range.
 */
function canonical(text: string): string | null {
	if (isIPv4(text)) return text;
	return isIPv6(text) ? new URL(`http://[${text.split("%")[0]}]/`).hostname.slice(1, -1) : null;
}

/**
 * IPv6 is public only within 2000::/3. That leaves out ::/96, NAT64, link-local and unique local addresses, and
 * everything that isn't assigned yet.
 */
function isPublic(address: Address): boolean {
	if (address.range() !== "unicast") return false;
	return address instanceof ipaddr.IPv6
		? address.match(globalUnicast)
		: !insideClouds.some((range) => address.match(range));
}

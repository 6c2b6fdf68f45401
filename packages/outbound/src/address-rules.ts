import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Cidr = readonly [Address, number];

/** Which addresses may be reached. */
export type AddressRules = {
	/** Whether `address`, is public or allowed. False for what is no address. */
	allows(address: string): boolean;
};

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
/**
 * What clouds reach from inside alone, though the numbers are those of public addresses: Azure's wire server, which
 * gives a machine its secrets, and the ranges in which IBM Cloud has its service endpoints. The metadata servers of all
 * others lie in ranges that RFCs set apart.
 */
const insideClouds = ["168.63.129.16/32", "161.26.0.0/16", "166.8.0.0/14"].map((range) => ipaddr.IPv4.parseCIDR(range));

/**
 * The ranges of `list`, each like `10.0.0.0/8` or `fd00::/8`; a single address counts as one.
 *
 * @throws TypeError that names the first entry which is none.
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
 * Public addresses, and those in `allow`. Everything that RFCs set apart is refused, and what only a cloud's own
 * machines reach: what isn't known to be public isn't.
 */
export function createAddressRules(allow: readonly string[]): AddressRules {
	const allowed = parseCidrs(allow);
	return {
		allows(text) {
			const plain = canonical(text);
			if (plain === null) return false;
			// An IPv4-mapped address is the IPv4 one to the system.
			const address = ipaddr.process(plain);
			return (
				allowed.some(([network, length]) => network.kind() === address.kind() && address.match(network, length)) ||
				isPublic(address)
			);
		},
	};
}

/**
 * ipaddr.js takes `::8.8.8.8` for a mapped address, which it isn't: the URL parser writes both in hexadecimal. A zone
 * says nothing about the range.
 */
function canonical(text: string): string | null {
	if (isIPv4(text)) return text;
	return isIPv6(text) ? new URL(`http://[${text.split("%")[0]}]/`).hostname.slice(1, -1) : null;
}

/**
 * IPv6 is public within 2000::/3 alone; that leaves ::/96, NAT64, link-local, unique local and all not yet given out.
 */
function isPublic(address: Address): boolean {
	if (address.range() !== "unicast") return false;
	return address instanceof ipaddr.IPv6
		? address.match(globalUnicast)
		: !insideClouds.some((range) => address.match(range));
}

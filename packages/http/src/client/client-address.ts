import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Reading an address costs more than the rest of a small request: so many peers are remembered. */
const keptPeers = 10_000;
/** So many characters of X-Forwarded-For are read, from its end: some hundred proxies. */
const readCharacters = 4096;

/**
 * By what a client without credentials is counted: its IPv4 address, or the /64 network of its IPv6 address, of which
 * one subscriber has the whole. `unknown` where the connection has no address (a socket file, or a Fetch handler that
 * wasn't told): all such clients are counted as one.
 */
export type ClientKeyOf = (peer: string | undefined, forwardedFor: string | null | undefined) => string;

/**
 * The client is the connection's peer, unless that is one of `trustedProxies` (CIDRs or single addresses). Then it is
 * the right-most address in X-Forwarded-For that isn't one of them; where there is none in the header's last 4096
 * characters, or a word that is no address comes before it, the last proxy that could be followed. `onIgnored` is told
 * of each peer whose X-Forwarded-For was ignored, because it isn't one of them.
 *
 * @throws TypeError that names the first entry of `trustedProxies` which is no CIDR.
 */
export function createClientKeyOf(
	trustedProxies: readonly string[],
	onIgnored: (peer: string) => void = () => undefined,
): ClientKeyOf {
	const networks = trustedProxies.map(parseNetwork);
	const isTrusted = (address: Address): boolean => isWithin(networks, address);
	const follow: ClientKeyOf = (peer, forwardedFor) => {
		let client = peer === undefined ? null : parseAddress(peer);
		if (client === null) return "unknown";
		if (networks.length === 0 || !forwardedFor) return keyOf(client);
		if (!isTrusted(client)) onIgnored(client.toString());
		const hops = forwardedFor.slice(-readCharacters).split(",");
		if (forwardedFor.length > readCharacters) hops.shift();
		while (isTrusted(client)) {
			const hop = parseAddress(hops.pop() ?? "");
			if (hop === null) break;
			client = hop;
		}
		return keyOf(client);
	};
	const known = new Map<string, string>();
	return (peer, forwardedFor) => {
		if (peer === undefined || (forwardedFor && networks.length > 0)) return follow(peer, forwardedFor);
		if (forwardedFor) onIgnored(peer);
		const kept = known.get(peer);
		if (kept !== undefined) return kept;
		if (known.size >= keptPeers) known.clear();
		const key = follow(peer, null);
		known.set(peer, key);
		return key;
	};
}

/**
 * Whether a connection's peer is one of `trustedProxies`.
 *
 * @throws TypeError that names the first entry of `trustedProxies` which is no CIDR.
 */
export function createIsTrusted(trustedProxies: readonly string[]): (peer: string) => boolean {
	const networks = trustedProxies.map(parseNetwork);
	return (peer) => {
		const address = networks.length === 0 ? null : parseAddress(peer);
		return address !== null && isWithin(networks, address);
	};
}

const isWithin = (networks: readonly Network[], address: Address): boolean =>
	networks.some(([network, length]) => network.kind() === address.kind() && address.match(network, length));

/**
 * Checks a list of trusted proxies before a server is made with it.
 *
 * @throws TypeError that names the first entry which is no CIDR.
 */
export function checkTrustedProxies(trustedProxies: readonly string[]): void {
	createClientKeyOf(trustedProxies);
}

/**
 * Whether a client is in one of these networks (CIDRs or single addresses), by what it is counted by. An IPv6 client is
 * known by its /64 network, so a smaller range is taken as the /64 network that it lies in. A client without an address
 * is in none.
 *
 * @throws TypeError that names the first entry which is no CIDR.
 */
export function createIsWithin(entries: readonly string[]): (clientKey: string) => boolean {
	const networks = entries
		.map(parseNetwork)
		.map(([network, length]): Network => [network, network.kind() === "ipv6" ? Math.min(length, 64) : length]);
	return (clientKey) => {
		const address = networks.length === 0 ? null : parseAddress(clientKey.replace("/64", ""));
		return (
			address !== null &&
			networks.some(([network, length]) => network.kind() === address.kind() && address.match(network, length))
		);
	};
}

/**
 * Checks a list of workers' networks before a server is made with it.
 *
 * @throws TypeError that names the first entry which is no CIDR.
 */
export function checkWorkerNetworks(workerNetworks: readonly string[]): void {
	createIsWithin(workerNetworks);
}

function parseNetwork(entry: string): Network {
	try {
		const [network, length] = entry.includes("/") ? ipaddr.parseCIDR(entry.trim()) : single(ipaddr.parse(entry.trim()));
		if (network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && length >= 96)
			return [network.toIPv4Address(), length - 96];
		return [network, length];
	} catch (cause) {
		throw new TypeError(`Not an address range like 10.0.0.0/8 or fd00::/8: ${JSON.stringify(entry)}`, { cause });
	}
}

const single = (address: Address): Network => [address, address.kind() === "ipv4" ? 32 : 128];

/** An address as sockets and proxies write it: an IPv4-mapped one is the IPv4 one; some proxies add the port. */
function parseAddress(written: string): Address | null {
	const text = written.trim();
	const plain = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
	return isIP(plain) === 0 ? null : ipaddr.process(plain);
}

function keyOf(address: Address): string {
	if (!(address instanceof ipaddr.IPv6)) return address.toString();
	return `${address.parts
		.slice(0, 4)
		.map((part) => part.toString(16))
		.join(":")}::/64`;
}

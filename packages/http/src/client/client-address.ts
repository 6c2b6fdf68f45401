import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** How many peers are remembered, because parsing an address costs more than the rest of a small request. */
const keptPeers = 10_000;
/**
 * How many characters of X-Forwarded-For are read, from its end. They hold the addresses of about a hundred proxies.
 */
const readCharacters = 4096;

/** The client of a request. */
export type Client = {
	/**
	 * What a client without credentials is counted by: its IPv4 address, or the /64 network of its IPv6 address, because
	 * one subscriber usually has the whole network. It is `unknown` if the connection has no address (a socket file, or a
	 * Fetch handler that was not told the address): all such clients count as one.
	 */
	readonly key: string;
	/** The client's whole address; `null` if the connection has none. */
	readonly address: string | null;
};
export type ClientOf = (peer: string | undefined, forwardedFor: string | null | undefined) => Client;

/** Creates the function that returns what a request's client is counted by: see {@link createClientOf}. */
export function createClientKeyOf(
	trustedProxies: readonly string[],
	onIgnored?: (peer: string) => void,
): (...request: Parameters<ClientOf>) => string {
	const clientOf = createClientOf(trustedProxies, onIgnored);
	return (peer, forwardedFor) => clientOf(peer, forwardedFor).key;
}

/**
 * Creates the function that finds a request's client. The client is the connection's peer, unless the peer is one of
 * `trustedProxies` (CIDRs or single addresses). Then the client is the right-most address in X-Forwarded-For that is
 * not a trusted proxy. If the last 4096 characters of the header hold no such address, or a word that is no address
 * comes first, the client is the last proxy that could be followed. `onIgnored` is called with each peer whose
 * X-Forwarded-For is ignored because the peer is not trusted.
 *
 * @throws {TypeError} when an entry of `trustedProxies` is no CIDR; the message names the first such entry.
 */
export function createClientOf(
	trustedProxies: readonly string[],
	onIgnored: (peer: string) => void = () => undefined,
): ClientOf {
	const networks = trustedProxies.map(parseNetwork);
	const isTrusted = (address: Address): boolean => isWithin(networks, address);
	const follow: ClientOf = (peer, forwardedFor) => {
		let client = peer === undefined ? null : parseAddress(peer);
		if (client === null) return nowhere;
		if (networks.length === 0 || !forwardedFor) return clientAt(client);
		if (!isTrusted(client)) onIgnored(client.toString());
		const hops = forwardedFor.slice(-readCharacters).split(",");
		if (forwardedFor.length > readCharacters) hops.shift();
		while (isTrusted(client)) {
			const hop = parseAddress(hops.pop() ?? "");
			if (hop === null) break;
			client = hop;
		}
		return clientAt(client);
	};
	const known = new Map<string, Client>();
	return (peer, forwardedFor) => {
		if (peer === undefined || (forwardedFor && networks.length > 0)) return follow(peer, forwardedFor);
		if (forwardedFor) onIgnored(peer);
		const kept = known.get(peer);
		if (kept !== undefined) return kept;
		if (known.size >= keptPeers) known.clear();
		const client = follow(peer, null);
		known.set(peer, client);
		return client;
	};
}

/**
 * Creates a function that returns whether a connection's peer is one of `trustedProxies`.
 *
 * @throws {TypeError} when an entry of `trustedProxies` is no CIDR; the message names the first such entry.
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
 * Checks a list of trusted proxies (CIDRs or single addresses), so that a program can name a wrong setting before it
 * creates a server.
 *
 * @throws {TypeError} when an entry is no CIDR; the message names the first such entry.
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { checkTrustedProxies } from "@reelmill/http";
 *
 * checkTrustedProxies(["10.0.0.0/8", "::1"]);
 * assert.throws(() => checkTrustedProxies(["10.0.0.0/8", "proxy.example"]), /proxy\.example/);
 * ```
 */
export function checkTrustedProxies(trustedProxies: readonly string[]): void {
	createClientKeyOf(trustedProxies);
}

/**
 * Creates a function that returns whether a client's key lies in one of these networks (CIDRs or single addresses). The
 * key of an IPv6 client is its /64 network, so a smaller range means the /64 network around it. A client without an
 * address lies in none.
 *
 * @throws {TypeError} when an entry is no CIDR; the message names the first such entry.
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
 * Checks a list of the workers' networks (CIDRs or single addresses), so that a program can name a wrong setting before
 * it creates a server.
 *
 * @throws {TypeError} when an entry is no CIDR; the message names the first such entry.
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { checkWorkerNetworks } from "@reelmill/http";
 *
 * checkWorkerNetworks(["192.0.2.0/24", "fd00::/8"]);
 * assert.throws(() => checkWorkerNetworks(["192.0.2.0/33"]), TypeError);
 * ```
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

/**
 * Parses an address as sockets and proxies write it, with or without a port. Returns an IPv4-mapped address as the IPv4
 * one, and `null` if the text is no address.
 */
function parseAddress(written: string): Address | null {
	const text = written.trim();
	const plain = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
	return isIP(plain) === 0 ? null : ipaddr.process(plain);
}

const nowhere: Client = { key: "unknown", address: null };
const clientAt = (address: Address): Client => ({ key: keyOf(address), address: address.toString() });

function keyOf(address: Address): string {
	if (!(address instanceof ipaddr.IPv6)) return address.toString();
	return `${address.parts
		.slice(0, 4)
		.map((part) => part.toString(16))
		.join(":")}::/64`;
}

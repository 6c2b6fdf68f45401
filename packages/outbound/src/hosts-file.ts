import { isIP } from "node:net";

/**
 * Addresses by name, in small letters, as a hosts file gives them (hosts(5)): an address, then its names; `#` begins a
 * comment. Lines that are none are passed over.
 */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
	const hosts = new Map<string, string[]>();
	for (const line of text.split("\n")) {
		const [address = "", ...names] = wordsOf(line);
		if (isIP(address) === 0) continue;
		for (const name of names.map((one) => one.toLowerCase())) {
			const known = hosts.get(name);
			if (known === undefined) hosts.set(name, [address]);
			else if (!known.includes(address)) known.push(address);
		}
	}
	return hosts;
}

/** The words of a line before its comment. */
export const wordsOf = (line: string): string[] =>
	(line.split("#", 1)[0] ?? "").split(/[ \t\r]+/).filter((word) => word !== "");

/** `localhost` and what lies under it is this machine, whatever anybody's DNS says (RFC 6761, section 6.3). */
export const isLocalhost = (name: string): boolean => name === "localhost" || name.endsWith(".localhost");
export const loopback: readonly string[] = ["127.0.0.1", "::1"];

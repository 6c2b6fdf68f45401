import { isIP } from "node:net";

/**
 * Returns the addresses of each name, in small letters, in the text of a hosts file (hosts(5)). A line has an address,
 * then its names; `#` begins a comment. Other lines are ignored.
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

/** Returns the words of a line before its comment. */
export const wordsOf = (line: string): string[] =>
	(line.split("#", 1)[0] ?? "").split(/[ \t\r]+/).filter((word) => word !== "");

/**
 * Whether the name is `localhost`, or lies under it: that is this machine, whatever any DNS says (RFC 6761, section
 * 6.3).
 */
export const isLocalhost = (name: string): boolean => name === "localhost" || name.endsWith(".localhost");
export const loopback: readonly string[] = ["127.0.0.1", "::1"];

import { BlockList, isIP } from "node:net";
import type { Config } from "../config.ts";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Returns sentences for the log about settings that are allowed, but rarely meant. */
export function cautionsOf(
	{ BASE_URL, commandLineUrl }: Pick<Config, "BASE_URL" | "commandLineUrl">,
	baseUrl: string,
): string[] {
	const cautions: string[] = [];
	const { protocol, hostname } = new URL(baseUrl);
	if (protocol === "http:" && !isLoopback(hostname))
		cautions.push(
			`The base URL ${baseUrl} is plain http: keys, tokens and videos can be read on the way. ` +
				"Put TLS in front and set REELMILL_BASE_URL to the https address.",
		);
	if (BASE_URL === undefined && commandLineUrl !== undefined)
		cautions.push(
			"REELMILL_URL is the command line's setting and changes nothing here; " +
				"the address of this server is REELMILL_BASE_URL.",
		);
	return cautions;
}

function isLoopback(hostname: string): boolean {
	const address = hostname.replace(/^\[|\]$/g, "");
	const family = isIP(address);
	if (family === 0) return address === "localhost" || address.endsWith(".localhost");
	return loopback.check(address, family === 4 ? "ipv4" : "ipv6");
}

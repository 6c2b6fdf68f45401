import { askDns } from "./ask-dns.ts";
import { cachedFile } from "./cached-file.ts";
import { isLocalhost, loopback, parseHosts } from "./hosts-file.ts";
import type { Lookup } from "./lookup.ts";
import { namesToAsk, parseSearchList } from "./search-list.ts";
import { createWorkSlots } from "./work-slots.ts";

/** Which servers are asked for names, and for how long. */
export type ResolverOptions = {
	/** The DNS servers, each an address with or without a port (default: the system's). */
	readonly servers?: readonly string[];
	/** The hosts file (default: `/etc/hosts`). */
	readonly hostsFile?: string;
	/** The file that names the domains of short names (default: `/etc/resolv.conf`). */
	readonly settingsFile?: string;
	/** How long one name may take, every question and the wait for a slot included, in milliseconds (default: 3000). */
	readonly deadlineMilliseconds?: number;
	/**
	 * How many names are asked for at once (default: 256). A further name takes the slot of the one that has hung
	 * longest, once that is half a second.
	 */
	readonly namesAtOnce?: number;
};

/**
 * How long an answer, or a failure, is kept for the next callers: one attempt asks more than once, and a burst of
 * attempts asks at once.
 */
const rememberedMilliseconds = 1000;
const namesRemembered = 4096;

/**
 * Makes a look-up by the hosts file and DNS. Unlike `dns.lookup`, it holds none of Node's threads, and it never takes
 * longer than its deadline, even if a tenant's name server hangs. Callers who ask for one name at once share the
 * answer. Names that hang hold up no others, however many they are.
 *
 * Addresses are remembered for a second. This doesn't change what may be reached: a caller checks the addresses that it
 * gets, and connects to one of them. Other sources of the system (mDNS, LDAP) aren't asked; pass in a look-up of your
 * own for them.
 *
 * @example
 * ```ts
 * import { writeFile } from "node:fs/promises";
 * import { createResolver } from "@reelmill/outbound";
 *
 * await writeFile("hosts", "192.0.2.7 storage.internal\n");
 * const lookup = createResolver({ hostsFile: "hosts" });
 * console.log(await lookup("storage.internal")); // => [ '192.0.2.7' ]
 * ```
 */
export function createResolver(options: ResolverOptions = {}): Lookup {
	const {
		servers,
		hostsFile = "/etc/hosts",
		settingsFile = "/etc/resolv.conf",
		deadlineMilliseconds = 3000,
		namesAtOnce = 256,
	} = options;
	const hosts = cachedFile(hostsFile, parseHosts);
	const searchList = cachedFile(settingsFile, parseSearchList);
	const slots = createWorkSlots({ most: namesAtOnce, yieldMilliseconds: 500 });
	const remembered = new Map<string, { readonly answer: Promise<readonly string[]>; until: number }>();

	const find = async (name: string): Promise<readonly string[]> => {
		const listed = (await hosts()).get(name.replace(/\.$/, "")) ?? (isLocalhost(name) ? loopback : undefined);
		if (listed !== undefined) return listed;
		const late = AbortSignal.timeout(deadlineMilliseconds);
		return slots.run(late, async (signal) => {
			for (const asked of namesToAsk(name, await searchList())) {
				const addresses = await askDns(asked, { servers, signal });
				if (addresses !== null) return addresses;
			}
			throw Object.assign(new Error(`${name} has no address`), { code: "ENOTFOUND" });
		});
	};

	return (given) => {
		const name = given.toLowerCase();
		const known = remembered.get(name);
		if (known !== undefined && performance.now() < known.until) return known.answer;
		const entry = { answer: find(name).catch(inWords), until: Number.POSITIVE_INFINITY };
		remembered.delete(name);
		remembered.set(name, entry);
		const end = () => {
			entry.until = performance.now() + rememberedMilliseconds;
			// Names that are still being asked for come first in the map, and are few.
			for (const [oldest, { until }] of remembered) {
				if (remembered.size <= namesRemembered) break;
				if (until !== Number.POSITIVE_INFINITY) remembered.delete(oldest);
			}
		};
		entry.answer.then(end, end);
		return entry.answer;
	};
}

function inWords(error: NodeJS.ErrnoException): never {
	if (error.name === "TimeoutError" || error.code === "ECANCELLED")
		throw Object.assign(new Error("The name's servers don't answer"), { code: "ETIMEOUT" });
	throw error;
}

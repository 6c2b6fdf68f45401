import { askDns } from "./ask-dns.ts";
import { isLocalhost, loopback, parseHosts } from "./hosts-file.ts";
import type { Lookup } from "./lookup.ts";
import { createPlaces } from "./places.ts";
import { namesToAsk, parseSearchList } from "./search-list.ts";
import { watchedFile } from "./watched-file.ts";

export type ResolverOptions = {
	/** The DNS servers, each an address with or without a port. Default: the system's. */
	readonly servers?: readonly string[];
	/** Default `/etc/hosts`. */
	readonly hostsFile?: string;
	/** Where the domains of short names stand. Default `/etc/resolv.conf`. */
	readonly settingsFile?: string;
	/** For one name, every question and the wait for a place included, in milliseconds. Default 3000. */
	readonly deadlineMilliseconds?: number;
	/**
	 * Names that are asked for at once. Beyond them a name takes the place of the one that has hung longest, once that is
	 * half a second. Default 256.
	 */
	readonly namesAtOnce?: number;
};

/**
 * So long an answer, or a failure, is good for those who ask next: one attempt asks more than once, and a burst of
 * attempts asks at once.
 */
const rememberedMilliseconds = 1000;
const namesRemembered = 4096;

/**
 * Makes a look-up by the hosts file and DNS that takes none of Node's threads, as `dns.lookup` does for as long as a
 * tenant's name server likes, and no longer than its deadline. Those who ask for one name at once share its answer;
 * names that hang hold up no others, however many there are.
 *
 * What a name was found at is remembered for a second. Who connects checks the addresses that the look-up gave, and
 * connects to one of these, so that it makes no difference to what may be reached. Sources of the system beside hosts
 * file and DNS (mDNS, LDAP) are not asked: hand in a look-up of your own for them.
 */
export function createResolver(options: ResolverOptions = {}): Lookup {
	const {
		servers,
		hostsFile = "/etc/hosts",
		settingsFile = "/etc/resolv.conf",
		deadlineMilliseconds = 3000,
		namesAtOnce = 256,
	} = options;
	const hosts = watchedFile(hostsFile, parseHosts);
	const searchList = watchedFile(settingsFile, parseSearchList);
	const places = createPlaces({ most: namesAtOnce, yieldMilliseconds: 500 });
	const remembered = new Map<string, { readonly answer: Promise<readonly string[]>; until: number }>();

	const find = async (name: string): Promise<readonly string[]> => {
		const listed = (await hosts()).get(name.replace(/\.$/, "")) ?? (isLocalhost(name) ? loopback : undefined);
		if (listed !== undefined) return listed;
		const late = AbortSignal.timeout(deadlineMilliseconds);
		return places.hold(late, async (signal) => {
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
			// Those that are still asked for have the oldest places, and are few.
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

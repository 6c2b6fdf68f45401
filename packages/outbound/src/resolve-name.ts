import { lookup, Resolver } from "node:dns/promises";

/** All addresses of a name. Rejects, or answers none, when it has none. */
export type Lookup = (name: string) => Promise<readonly string[]>;

const notInDns = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED", "ESERVFAIL", "EREFUSED"]);

/**
 * Asks DNS, then the system (its hosts file) for what DNS doesn't know. Node's own `lookup` alone would not do: it takes one of the four threads that
 * file access needs, too, for as long as a tenant's name server likes.
 */
export const resolveName: Lookup = async (name) => {
	if (!name.includes(".")) return bySystem(name);
	const resolver = new Resolver({ timeout: 1500, tries: 2 });
	const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
	const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
	if (addresses.length > 0) return addresses;
	const failure = answers.find((answer) => answer.status === "rejected")?.reason as NodeJS.ErrnoException | undefined;
	if (failure && !notInDns.has(failure.code ?? "")) throw failure;
	return bySystem(name);
};

const bySystem: Lookup = async (name) => (await lookup(name, { all: true, order: "ipv4first" })).map(({ address }) => address);

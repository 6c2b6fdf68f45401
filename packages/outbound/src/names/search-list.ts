import { wordsOf } from "./hosts-file.ts";

/**
 * What resolv.conf(5) says of short names: the domains in which they are looked for, and from how many dots on a name
 * is asked for unchanged first.
 */
export type SearchList = { readonly domains: readonly string[]; readonly dots: number };

/** As many as the system's own resolver took for decades. */
const mostDomains = 6;

export function parseSearchList(text: string): SearchList {
	let domains: readonly string[] = [];
	let dots = 1;
	for (const line of text.split("\n")) {
		const [key, ...words] = wordsOf(line);
		if (key === "search" || key === "domain")
			domains = words.map((word) => word.replace(/\.$/, "")).filter((word) => word !== "");
		for (const option of key === "options" ? words : [])
			if (/^ndots:\d{1,2}$/.test(option)) dots = Number(option.slice("ndots:".length));
	}
	return { domains: domains.slice(0, mostDomains), dots };
}

/** Returns the names to ask DNS for, one after another, until it knows one. A name that ends in a dot is complete. */
export function namesToAsk(name: string, { domains, dots }: SearchList): readonly string[] {
	if (name.endsWith(".")) return [name.slice(0, -1)];
	const searched = domains.map((domain) => `${name}.${domain}`);
	return name.split(".").length > dots ? [name, ...searched] : [...searched, name];
}

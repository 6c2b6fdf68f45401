/** One of the servers that a URL names. */
export type Host = {
	/** The name that may be shown. */
	readonly name: string;
	/** The URL with this host alone. */
	readonly url: string;
};

/** Which of the servers is the right one: the first that answers, or one that takes writes. */
export type Wanted = "any" | "primary" | "read-write";

const parameter = "target_session_attrs";
const scheme = /^postgres(ql)?:\/\//;
const wanted: readonly string[] = ["any", "primary", "read-write"] satisfies Wanted[];

/**
 * Reads the servers of a URL, and which of them is wanted (default: `read-write` if there are several, otherwise
 * `any`). `postgres://user:password@host:5432,host:5433/database` names two; as in libpq, each has its own port.
 *
 * @throws {TypeError} when it isn't a URL of PostgreSQL, or asks for a server that takes no writes.
 */
export function readServerUrl(url: string): { readonly hosts: readonly Host[]; readonly wanted: Wanted } {
	const parts = split(url);
	const hosts = parts?.hosts.map((name) => ({ name, url: `${parts.before}${name}${parts.after}` })) ?? [];
	if (hosts.length === 0 || !hosts.every((host) => URL.canParse(host.url) && (hosts.length === 1 || host.name !== "")))
		throw new TypeError(
			"The database's URL must look like postgres://user:password@host:port/database, several hosts as host:port,host:port",
		);
	const given =
		new URL((hosts[0] as Host).url).searchParams.get(parameter) ?? (hosts.length > 1 ? "read-write" : "any");
	if (!wanted.includes(given))
		throw new TypeError(
			`The database's URL has ${parameter}=${given}: take ${wanted.join(", ")}; everything here writes`,
		);
	return { hosts: hosts.map((host) => ({ ...host, url: withoutParameter(host.url) })), wanted: given as Wanted };
}

/**
 * Returns a database's URL as it may be shown: without user and password.
 *
 * @example
 * ```ts
 * import { withoutPassword } from "@reelmill/postgres";
 *
 * console.log(withoutPassword("postgres://user:secret@db.example.com/video")); // => postgres://db.example.com/video
 * ```
 */
export function withoutPassword(url: string): string {
	const parts = split(url);
	return parts && URL.canParse(`${parts.before}h${parts.after}`)
		? `${parts.scheme}${parts.hosts.join(",")}${parts.after}`
		: "the given address";
}

/** Returns the URL without the limits of statements that it may set. */
export function withoutLimits(url: string): string {
	const parts = split(url);
	const [path = "", query] = parts?.after.split("?") ?? [];
	if (parts === null || query === undefined) return url;
	const kept = query.split("&").filter((part) => !/^(?:statement|lock)_timeout=/.test(part));
	return `${parts.before}${parts.hosts.join(",")}${path}${kept.length > 0 ? `?${kept.join("&")}` : ""}`;
}

function split(url: string): { scheme: string; before: string; hosts: string[]; after: string } | null {
	const found = scheme.exec(url)?.[0];
	if (!found) return null;
	const rest = url.slice(found.length);
	const end = rest.search(/[/?#]/);
	const authority = end < 0 ? rest : rest.slice(0, end);
	const start = authority.lastIndexOf("@") + 1;
	return {
		scheme: found,
		before: found + authority.slice(0, start),
		hosts: authority.slice(start).split(","),
		after: end < 0 ? "" : rest.slice(end),
	};
}

/**
 * postgres.js reads the parameter differently: it takes a standby for "read-write", and asks a host that hangs for
 * ever.
 */
function withoutParameter(text: string): string {
	const url = new URL(text);
	if (!url.searchParams.has(parameter)) return text;
	url.searchParams.delete(parameter);
	return url.href;
}

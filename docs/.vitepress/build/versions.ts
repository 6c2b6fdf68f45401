import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Which version a site is made of, and where it stands. */
export type Version = {
	readonly version: string;
	/** Whether a newer one stands at the root. */
	readonly isOlder: boolean;
	/** The path of the whole site, and that of this version in it: the same for the current one. Both end in a slash. */
	readonly root: string;
	readonly base: string;
};

/** What `versions.json` says, at the site's root. */
type Versions = { readonly current: string | null; readonly older: readonly string[] };

/** Returns where a version stands on a site whose path is `path`, with slashes around it or without. */
export function versionAt(version: string, isOlder: boolean, path: string): Version {
	const root = `/${path}/`.replaceAll(/\/+/g, "/");
	return { version, isOlder, root, base: isOlder ? `${root}v/${version}/` : root };
}

/** Adds a version to those of a site: the current one in place of the one before, older ones with the newest first. */
function withVersion({ current, older }: Versions, { version, isOlder }: Version): Versions {
	const others = older.filter((one) => one !== version);
	if (!isOlder) return { current: version, older: others };
	return {
		current: current === version ? null : current,
		older: [...others, version].sort((a, b) => b.localeCompare(a, "en", { numeric: true })),
	};
}

/** Notes a version in `versions.json` of a site. Two builds must not do so at the same time. */
export function noteVersion(site: string, version: Version): void {
	const file = join(site, "versions.json");
	const before: Versions = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { current: null, older: [] };
	writeFileSync(file, `${JSON.stringify(withVersion(before, version))}\n`);
}

/** Keeps every page of a folder out of search engines, whose readers want the newest. */
export function hideFromSearchEngines(folder: string): void {
	for (const page of globSync("**/*.html", { cwd: folder })) {
		const file = join(folder, page);
		writeFileSync(file, readFileSync(file, "utf8").replace("</head>", '<meta name="robots" content="noindex"></head>'));
	}
}

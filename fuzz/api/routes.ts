import type { ApiOperation } from "./document.ts";

export type Routes = {
	/**
	 * The operations that a request may have come to: more than one where its path reads otherwise once it is decoded.
	 * Empty for a path that no operation has.
	 */
	at(method: string, target: string): readonly ApiOperation[];
};

/**
 * Finds operations by method and request target. A path without parameters wins over one with them; a HEAD comes to the
 * GET where there is no HEAD.
 */
export function createRoutes(operations: readonly ApiOperation[]): Routes {
	const table = operations
		.map((operation) => ({ operation, pattern: patternOf(operation.path) }))
		.sort((a, b) => Number(a.operation.path.includes("{")) - Number(b.operation.path.includes("{")));
	const find = (method: string, path: string): ApiOperation | undefined =>
		table.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation;
	return {
		at(method, target) {
			const found = readings(target).map(
				(path) => find(method, path) ?? (method === "HEAD" ? find("GET", path) : undefined),
			);
			return [...new Set(found.filter((one) => one !== undefined))];
		},
	};
}

const patternOf = (path: string): RegExp =>
	new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);

/** The path as it was sent, as a URL reads it, and decoded. */
function readings(target: string): string[] {
	const path = target.replace(/^https?:\/\/[^/?]*/i, "").split(/[?#]/, 1)[0] ?? "/";
	// The one path that the server takes with a slash at its end as well.
	const all = [path === "/uploads/" ? "/uploads" : path];
	try {
		all.push(new URL(`http://host${path}`).pathname, decodeURIComponent(path));
	} catch {
		// Read in one way alone.
	}
	return all;
}

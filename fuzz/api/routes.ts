import type { ApiOperation } from "./document.ts";

export type Routes = {
	/**
	 * Returns the operations that a request may have reached. There is more than one if the path reads otherwise once it
	 * is decoded, and none if no operation has the path.
	 */
	at(method: string, target: string): readonly ApiOperation[];
};

/**
 * Creates the search of operations by method and request target. A path without parameters wins over one with them. A
 * HEAD reaches the GET if there is no HEAD.
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

/** Returns the path as it was sent, as a URL reads it, and decoded. */
function readings(target: string): string[] {
	const path = target.replace(/^https?:\/\/[^/?]*/i, "").split(/[?#]/, 1)[0] ?? "/";
	// The only path that the server also takes with a slash at its end.
	const all = [path === "/uploads/" ? "/uploads" : path];
	try {
		all.push(new URL(`http://host${path}`).pathname, decodeURIComponent(path));
	} catch {
		// The path can't be decoded, so it has one reading only.
	}
	return all;
}

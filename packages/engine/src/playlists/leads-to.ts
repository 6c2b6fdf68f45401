/**
 * Returns the path that a relative address leads to from the file at `path`. An address that leads out of the outputs,
 * or to another host, becomes a path that no file has.
 */
export function leadsTo(path: string, uri: string): string {
	const folders = path.split("/").slice(0, -1);
	const parts = uri.split("/");
	while (parts[0] === ".." && folders.length > 0) {
		parts.shift();
		folders.pop();
	}
	return [...folders, ...parts].join("/").slice(0, 512);
}

import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const types: Readonly<Record<string, string>> = {
	".html": "text/html; charset=utf-8",
	".js": "text/javascript",
	".css": "text/css",
	".json": "application/json",
};

/** Serves the files of a folder as a plain server does: a folder by its index.html, and 404 for what isn't there. */
export async function serveFiles(folder: string): Promise<{ readonly url: string; close(): void }> {
	const server = createServer((request, response) => {
		const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname));
		const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
		const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
		response.writeHead(isFile ? 200 : 404, { "content-type": types[extname(file)] ?? "application/octet-stream" });
		response.end(isFile && request.method !== "HEAD" ? readFileSync(file) : undefined);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}

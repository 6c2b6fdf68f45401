import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

const types: Record<string, string> = {
	".html": "text/html",
	".js": "text/javascript",
	".m3u8": "application/vnd.apple.mpegurl",
	".mpd": "application/dash+xml",
	".mp4": "video/mp4",
	".m4a": "audio/mp4",
	".vtt": "text/vtt",
};

const { resolve } = createRequire(import.meta.url);
const scripts = {
	"hls.js": resolve("hls.js/dist/hls.min.js"),
	"shaka.js": resolve("shaka-player/dist/shaka-player.compiled.js"),
	"dash.js": resolve("dashjs"),
};
export type Player = keyof typeof scripts;

/**
 * Serves `page` at the root, the players' scripts by their names, and a folder's files with the ranges that browsers ask
 * for.
 */
export async function serveFolder(folder: string, page: string) {
	const server = createServer(async (request, response) => {
		const { pathname } = new URL(request.url ?? "/", "http://localhost");
		if (pathname === "/") return void response.setHeader("content-type", "text/html").end(`<!doctype html>${page}`);
		const path = (scripts as Record<string, string>)[pathname.slice(1)] ?? join(folder, pathname);
		const found = await stat(path).catch(() => null);
		if (found === null) return void response.writeHead(404).end();
		const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
		const [start, end] = [Number(first ?? 0), last ? Math.min(Number(last), found.size - 1) : found.size - 1];
		response.writeHead(first === undefined ? 200 : 206, {
			"content-type": types[extname(path)] ?? "application/octet-stream",
			"content-length": end - start + 1,
			...(first !== undefined && { "content-range": `bytes ${start}-${end}/${found.size}` }),
		});
		createReadStream(path, { start, end }).pipe(response);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Serves one page with this package, bundled as a user's bundler does, and the user's back end, which has an answer for
 * each path; it gets what the page sent as JSON.
 */
export async function pageServer(backEnd: Record<string, (asked: never) => unknown> = {}) {
	const entry = fileURLToPath(new URL("./page.ts", import.meta.url));
	const { outputFiles } = await build({
		entryPoints: [entry],
		bundle: true,
		format: "esm",
		platform: "browser",
		target: "es2022",
		write: false,
	});
	const script = outputFiles[0]?.text ?? "";
	const html =
		'<!doctype html><title>page</title><input type="file"><video></video><script type="module" src="/page.js"></script>';
	const server = createServer(async (request, response) => {
		if (request.url === "/page.js") return void response.setHeader("content-type", "text/javascript").end(script);
		const answer = backEnd[request.url ?? ""];
		if (answer) {
			const asked = JSON.parse((await text(request)) || "null") as never;
			return void response.setHeader("content-type", "application/json").end(JSON.stringify(answer(asked)));
		}
		response.setHeader("content-type", "text/html").end(html);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}

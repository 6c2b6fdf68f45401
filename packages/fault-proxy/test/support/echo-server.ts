import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** What arrived at the server complete. */
export type Received = {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly bytes: number;
	readonly sha256: string;
};

/**
 * Starts a server that remembers what arrived. It answers a GET with `content`, and anything else with the body's
 * sha256.
 */
export async function openEchoServer(content = randomBytes(3_000_000)) {
	const received: Received[] = [];
	/** How many bytes of bodies arrived, those included that broke off. */
	let arrived = 0;
	const server = createServer(async (request, response) => {
		const hash = createHash("sha256");
		let bytes = 0;
		try {
			for await (const chunk of request) {
				hash.update(chunk);
				bytes += chunk.length;
				arrived += chunk.length;
			}
		} catch {
			return;
		}
		const digest = hash.digest("hex");
		received.push({
			method: request.method ?? "",
			path: request.url ?? "",
			headers: request.headers,
			bytes,
			sha256: digest,
		});
		response.setHeader("x-kept", ["one", "two"]);
		if (request.method === "GET" || request.method === "HEAD")
			response.setHeader("content-length", content.length).end(content);
		else response.end(digest);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		content,
		received,
		arrived: () => arrived,
		close: () =>
			new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

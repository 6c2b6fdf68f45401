import { once } from "node:events";
import { open } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { deliveryHeaders } from "@reelmill/contracts";

/**
 * Starts a delivery plane over a folder, on an origin of its own. It takes the keys in `accepted` and understands
 * Range. `served` is called for each successful answer.
 */
export async function deliveryServer(folder: string, accepted: Set<string>, served: (path: string) => void = () => {}) {
	const requests: { path: string; authorization: string | undefined; status: number; bytes: number }[] = [];
	const server = createServer(async (request, response) => {
		response
			.setHeader("access-control-allow-origin", "*")
			.setHeader("access-control-allow-headers", "Authorization, Range");
		for (const [name, value] of Object.entries(deliveryHeaders)) response.setHeader(name, value);
		if (request.method === "OPTIONS") return void response.writeHead(204).end();
		const path = request.url ?? "";
		const { authorization, range } = request.headers;
		const answer = (status: number, body: Buffer | string, headers: Record<string, string> = {}) => {
			const bytes = request.method === "HEAD" ? 0 : body.length;
			requests.push({ path, authorization, status, bytes });
			response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
			if (status < 400) served(path);
		};
		const refused = authorization === undefined ? "playback_key_required" : "playback_key_invalid";
		if (!accepted.has(authorization?.replace("Bearer ", "") ?? ""))
			return answer(401, JSON.stringify({ error: refused }), { "content-type": "application/json" });
		await using file = await open(join(folder, path)).catch(() => undefined);
		if (!file) return answer(404, JSON.stringify({ error: "not_found" }), { "content-type": "application/json" });
		const { size } = await file.stat();
		const read = async (from: number, to: number) => {
			const bytes = Buffer.alloc(to - from);
			await file.read(bytes, 0, bytes.length, from);
			return bytes;
		};
		const [first, last] = (/bytes=(\d+)-(\d*)/.exec(range ?? "") ?? [])
			.slice(1)
			.map((text) => (text ? Number(text) : size - 1));
		if (first === undefined || last === undefined) return answer(200, await read(0, size));
		const end = Math.min(last + 1, size);
		answer(206, await read(first, end), { "content-range": `bytes ${first}-${end - 1}/${size}` });
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}

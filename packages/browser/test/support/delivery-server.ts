import { once } from "node:events";
import { readFile } from "node:fs/promises";
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
			requests.push({ path, authorization, status, bytes: body.length });
			response.writeHead(status, headers).end(body);
			if (status < 400) served(path);
		};
		const refused = authorization === undefined ? "playback_key_required" : "playback_key_invalid";
		if (!accepted.has(authorization?.replace("Bearer ", "") ?? ""))
			return answer(401, JSON.stringify({ error: refused }), { "content-type": "application/json" });
		const bytes = await readFile(join(folder, path)).catch(() => undefined);
		if (!bytes) return answer(404, JSON.stringify({ error: "not_found" }), { "content-type": "application/json" });
		const [first, last] = (/bytes=(\d+)-(\d*)/.exec(range ?? "") ?? [])
			.slice(1)
			.map((text) => (text ? Number(text) : bytes.length - 1));
		if (first === undefined || last === undefined) return answer(200, bytes);
		answer(206, bytes.subarray(first, last + 1), { "content-range": `bytes ${first}-${last}/${bytes.length}` });
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

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type Seen = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };
export type Answer = { status: number; headers?: Record<string, string>; body?: unknown } | "hang" | "reset";

/**
 * Starts a real HTTP server that gives one scripted answer after another, and the last one for ever. `seen` has its
 * requests.
 */
export async function scriptedServer(...answers: Answer[]) {
	const seen: Seen[] = [];
	const server = createServer(async (request, response) => {
		const body = await text(request);
		const answer = answers[Math.min(seen.length, answers.length - 1)] ?? "hang";
		seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
		server.emit("seen");
		give(answer, request, response);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		seen,
		/** Resolves when the next request has arrived completely. */
		next: () => once(server, "seen"),
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}

function give(answer: Answer, request: IncomingMessage, response: ServerResponse): void {
	if (answer === "hang") return;
	if (answer === "reset") return void request.socket.destroy();
	const body =
		typeof answer.body === "string" ? answer.body : answer.body === undefined ? "" : JSON.stringify(answer.body);
	response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers }).end(body);
}

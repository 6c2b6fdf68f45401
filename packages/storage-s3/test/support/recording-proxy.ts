import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request as send } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export type Recorded = {
	readonly method: string;
	readonly url: string;
	readonly headers: IncomingHttpHeaders;
	readonly sockets: number;
};

/**
 * Stands in front of a server and records every request's head, and which connections are open. Bodies pass at the
 * reader's pace.
 */
export async function openRecordingProxy(target: string) {
	const { hostname, port } = new URL(target);
	const requests: Recorded[] = [];
	const open = new Set<Socket>();
	const server = createServer((incoming, outgoing) => {
		const { method = "", url = "", headers } = incoming;
		requests.push({ method, url, headers, sockets: open.size });
		const onward = send({ hostname, port, method, path: url, headers }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		onward.once("error", () => outgoing.destroy());
		outgoing.once("close", () => onward.destroy());
		incoming.pipe(onward);
	});
	server.on("connection", (socket) => {
		open.add(socket);
		socket.once("close", () => open.delete(socket));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		connections: () => open.size,
		async close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

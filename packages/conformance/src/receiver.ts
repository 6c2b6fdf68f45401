import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export type Received = {
	readonly method: string | undefined;
	readonly path: string | undefined;
	readonly headers: IncomingMessage["headers"];
	readonly body: Buffer;
};
export type Receiver = {
	readonly url: string;
	readonly port: number;
	readonly received: Received[];
	connections(): number;
};

/**
 * Runs `body` with a real HTTP server on 127.0.0.1 that answers by `respond`, and closes it with all its connections.
 */
export async function withReceiver(
	respond: (response: ServerResponse, received: Received) => void,
	body: (receiver: Receiver) => Promise<void>,
): Promise<void> {
	const received: Received[] = [];
	let connections = 0;
	const server = createServer(async (request, response) => {
		const { method, url: path, headers } = request;
		try {
			const one = { method, path, headers, body: await buffer(request) };
			received.push(one);
			respond(response, one);
		} catch {
			response.destroy();
		}
	});
	server.on("connection", () => {
		connections++;
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	try {
		await body({ url: `http://127.0.0.1:${port}/hook`, port, received, connections: () => connections });
	} finally {
		server.close();
		server.closeAllConnections();
	}
}

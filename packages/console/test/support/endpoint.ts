import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export type Endpoint = {
	readonly url: string;
	/** What has come, the first one first. */
	readonly received: { readonly headers: IncomingHttpHeaders; readonly body: Buffer }[];
	/** How it answers from now on. */
	answer: (response: ServerResponse) => void;
	close(): void;
};

/** Starts a tenant's webhook endpoint on this machine. It answers 204 until a test says otherwise. */
export async function startEndpoint(): Promise<Endpoint> {
	const server = createServer(async (request, response) => {
		endpoint.received.push({ headers: request.headers, body: await buffer(request) });
		endpoint.answer(response);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const endpoint: Endpoint = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
		received: [],
		answer: (response) => void response.writeHead(204).end(),
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
	return endpoint;
}

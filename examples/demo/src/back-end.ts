import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
	isKnownEvent,
	type Reelmill,
	uploadRoutes,
	verifyWebhook,
	type WebhookEvent,
	WebhookVerificationError,
} from "@reelmill/node";
import { buildPage } from "./build-page.ts";

export type BackEnd = {
	readonly url: string;
	readonly webhookUrl: string;
	close(): Promise<void>;
};

/**
 * Starts a tenant's back end: it serves the page, gives the page's uploader and player what they ask for, and receives
 * webhooks. Only the back end knows the API key. `onWebhook` is called once for every event with a valid signature, if
 * its type is known.
 */
export async function startBackEnd({
	reelmill,
	webhookSecret,
	port = 0,
	onWebhook,
}: {
	reelmill: Reelmill;
	webhookSecret: string;
	port?: number;
	onWebhook: (event: WebhookEvent) => void;
}): Promise<BackEnd> {
	const assets = await buildPage(new URL("./page/", import.meta.url));
	const seen = new Set<string>();
	/** The viewer of this demo's page. A real back end takes it from its own session. */
	const viewer = { ref: `demo-viewer-${randomUUID()}` };
	const answerPage = uploadRoutes({
		reelmill,
		authorize: () => viewer,
		describe: ({ file_name }) => (file_name ? { external_ref: file_name } : {}),
		mayPlay: () => true,
	});

	async function receive(request: IncomingMessage): Promise<Response> {
		const payload = await read(request);
		const event = await verifyWebhook({ payload, headers: request.headers, secret: webhookSecret });
		if (isKnownEvent(event) && !seen.has(event.id)) onWebhook(event);
		seen.add(event.id);
		return new Response();
	}

	const server = createServer(async (request, response) => {
		const { method, headers, url = "/" } = request;
		const { pathname } = new URL(url, "http://here");
		const asset = method === "GET" ? assets.get(pathname) : undefined;
		if (asset) return send(response, 200, asset.type, asset.body);
		try {
			const answer =
				method === "POST" && pathname === "/api/video"
					? await answerPage(
							new Request(`http://${headers.host}${url}`, {
								method,
								headers: headers as Record<string, string>,
								body: await read(request),
							}),
						)
					: method === "POST" && pathname === "/webhook"
						? await receive(request)
						: new Response("Not found", { status: 404 });
			send(response, answer.status, answer.headers.get("content-type") ?? "text/plain", await answer.bytes());
		} catch (error) {
			const status = error instanceof WebhookVerificationError ? 400 : 500;
			send(response, status, "text/plain", error instanceof Error ? error.message : String(error));
		}
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, "127.0.0.1", resolve);
	});
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url,
		webhookUrl: `${url}/webhook`,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** An event is a few kilobytes long. */
const largestBody = 1024 * 1024;

async function read(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
	const parts: Buffer[] = [];
	let bytes = 0;
	for await (const part of request) {
		bytes += (part as Buffer).length;
		if (bytes > largestBody) throw new Error(`The body has more than ${largestBody} bytes.`);
		parts.push(part as Buffer);
	}
	return Buffer.concat(parts);
}

function send(response: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
	response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
}

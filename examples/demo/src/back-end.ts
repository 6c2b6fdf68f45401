import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
	isKnownEvent,
	isReelmillError,
	type Reelmill,
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

/** The viewer of this demo's page. A real back end takes it from its own session. */
const viewer = "demo-viewer";

/**
 * Starts a tenant's back end: it serves the page, initiates uploads, mints playback keys for its viewer and receives
 * webhooks. Only the back end knows the API key. `onWebhook` is called once for every
 * event with a valid signature, if its type is known.
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

	const routes: readonly [
		method: string,
		path: RegExp,
		handle: (request: IncomingMessage, id: string) => Promise<unknown>,
	][] = [
		[
			"POST",
			/^\/api\/uploads$/,
			async (request) => {
				const { content_type, file_size, kept } = JSON.parse((await read(request)).toString()) as {
					content_type: string;
					file_size: number;
					kept: string[];
				};
				// The browser keeps an upload of this file: it goes on if it is this viewer's and still takes bytes.
				const earlier = await Promise.all(kept.map((id) => reelmill.videos.get(id).catch(() => null)));
				const own = earlier.find(
					(video) => video?.uploader_ref?.startsWith(viewer) && video.state === "pending_upload",
				);
				if (own) return { video: own };
				return reelmill.videos.create({ content_type, file_size, uploader_ref: `${viewer}-${randomUUID()}` });
			},
		],
		["GET", /^\/api\/videos\/([^/]+)$/, (_request, id) => reelmill.videos.get(id)],
		[
			"POST",
			/^\/api\/videos\/([^/]+)\/key$/,
			(_request, id) => reelmill.playbackKeys.create({ viewer_ref: viewer, video_ids: [id], ttl_seconds: 600 }),
		],
		[
			"POST",
			/^\/webhook$/,
			async (request) => {
				const event = await verifyWebhook({
					payload: await read(request),
					headers: request.headers,
					secret: webhookSecret,
				});
				if (isKnownEvent(event) && !seen.has(event.id)) onWebhook(event);
				seen.add(event.id);
				return {};
			},
		],
	];

	const server = createServer(async (request, response) => {
		const path = new URL(request.url ?? "/", "http://here").pathname;
		const asset = request.method === "GET" ? assets.get(path) : undefined;
		if (asset) return send(response, 200, asset.type, asset.body);
		for (const [method, pattern, handle] of routes) {
			const match = request.method === method ? pattern.exec(path) : null;
			if (match) return answer(response, () => handle(request, match[1] ?? ""));
		}
		send(response, 404, "text/plain", "Not found");
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

async function answer(response: ServerResponse, work: () => Promise<unknown>): Promise<void> {
	try {
		send(response, 200, "application/json", JSON.stringify(await work()));
	} catch (error) {
		if (isReelmillError(error))
			send(response, error.status, "application/json", JSON.stringify({ error: error.code, message: error.message }));
		else if (error instanceof WebhookVerificationError) send(response, 400, "text/plain", error.message);
		else send(response, 500, "text/plain", String(error));
	}
}

/** An event is a few kilobytes long. */
const largestBody = 1024 * 1024;

async function read(request: IncomingMessage): Promise<Buffer> {
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

import { randomBytes } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { isReelmillError, type Reelmill } from "@reelmill/node";
import { tryPage } from "./page.ts";

/** What came of one attempt of a webhook. */
export type Attempted = {
	type: string;
	delivery_id: string;
	video_id: string;
	status: number | null;
	error: string | null;
	event: unknown;
};

export type PagePlane = {
	/** Answers a request of the page; false if the request is not one. */
	handle(...args: Parameters<RequestListener>): boolean;
	/** Shows an attempt on every open page. */
	show(attempted: Attempted): void;
};

/**
 * Serves the page to try, and the two calls that it makes with the domain's key. It answers this machine's own names
 * alone, and no page of another origin: a stranger's page must not upload through it.
 */
export function createPagePlane(reelmill: Pick<Reelmill, "videos">, baseUrl: string): PagePlane {
	const open = new Set<ServerResponse>();

	const json = (response: ServerResponse, status: number, body: object) =>
		void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

	const answer = async (response: ServerResponse, work: () => Promise<object>) => {
		try {
			json(response, 200, await work());
		} catch (error) {
			const status = isReelmillError(error) ? error.status : 500;
			json(response, status, { message: error instanceof Error ? error.message : String(error) });
		}
	};

	const create = async (request: IncomingMessage) => {
		const { content_type, file_size } = JSON.parse(await text(request));
		return reelmill.videos.create({ content_type, file_size, visibility: "public" });
	};

	return {
		handle(request, response) {
			const { method = "GET", url = "/" } = request;
			const [path = ""] = url.split("?", 1);
			if (path !== "/" && !path.startsWith("/dev/")) return false;
			if (!isOwn(request)) json(response, 403, { message: "Only this machine's own page may ask." });
			else if (method === "GET" && path === "/") {
				const nonce = randomBytes(16).toString("base64");
				const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self' ${baseUrl}; media-src ${baseUrl}; img-src ${baseUrl} data:; base-uri 'none'; frame-ancestors 'none'`;
				response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy });
				response.end(tryPage(nonce));
			} else if (method === "POST" && path === "/dev/videos") void answer(response, () => create(request));
			else if (method === "GET" && path.startsWith("/dev/videos/"))
				void answer(response, () => reelmill.videos.get(path.slice("/dev/videos/".length)));
			else if (method === "GET" && path === "/dev/webhooks") {
				response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
				response.write(": these are the attempts from now on\n\n");
				open.add(response);
				response.once("close", () => open.delete(response));
			} else json(response, 404, { message: "No such page." });
			return true;
		},
		show(attempted) {
			for (const response of open) response.write(`data: ${JSON.stringify(attempted)}\n\n`);
		},
	};
}

const ownNames = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Whether the request is to a name of this machine, which no name server gives out, and not from another origin. */
function isOwn({ headers }: IncomingMessage): boolean {
	const { host = "", origin } = headers;
	return ownNames.test(host) && (origin === undefined || origin === `http://${host}`);
}

import { Agent, type IncomingMessage, type RequestListener, request, type ServerResponse } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createAuthoriser } from "./authoriser.ts";
import { createEdge, type Edge, type EdgeOptions } from "./edge.ts";
import { pollMilliseconds } from "./knowledge/follow.ts";
import type { Origin } from "./request.ts";

export type NodeEdgeOptions = Omit<EdgeOptions, "shared" | "origin"> & {
	/**
	 * Returns the address by which the service counts a client (default: the socket's). Behind another proxy, read it from
	 * that proxy's header.
	 */
	readonly clientAddress?: (request: IncomingMessage) => string | undefined;
	/** How long the service may say nothing, in milliseconds (default: 30000). */
	readonly silenceMilliseconds?: number;
};

export type NodeEdge = {
	/** The listener for `createServer` of `node:http` or `node:https`. */
	readonly listener: RequestListener;
	/** Begins to poll the feeds, every 2 s. A second call does nothing. */
	start(): void;
	/** Polls the feeds now. It never throws. */
	poll(): Promise<void>;
	/** Ends polling, and closes the idle connections to the service. */
	stop(): void;
};

/** Creates an edge for a server of Node. Until `start`, feeds are asked for when requests come. */
export const createNodeEdge = (options: NodeEdgeOptions): NodeEdge => serve(createEdge, options);

/**
 * Creates an edge for a server of Node behind another cache, such as Varnish, which keeps what this edge allows it to
 * (see `deploy/edge/varnish`). What the other cache can't answer, this edge answers from a cache of its own.
 *
 * A request without a header `Reelmill-Edge-Scope` is answered by 204 and a header of this name if its answer may be
 * kept: the cache then gives out what it keeps under this scope, to anyone who is given the same one. For what it
 * doesn't keep, it sends the viewer's request again, with the scope and without the viewer's range. The answer's header
 * `Reelmill-Edge-Keep` says whether it may be kept (`yes`), whether it is a refusal that may be remembered for 2 s
 * (`refusal`), or neither (`no`). A request with the scope `none` is answered by this edge in any case.
 */
export const createNodeAuthoriser = (options: NodeEdgeOptions): NodeEdge => serve(createAuthoriser, options);

function serve(create: (options: EdgeOptions) => Edge, options: NodeEdgeOptions): NodeEdge {
	const { clientAddress = (incoming) => incoming.socket.remoteAddress, silenceMilliseconds = 30_000 } = options;
	const { origin, close } = createNodeOrigin(options.service, silenceMilliseconds);
	const edge = create({ ...options, origin });
	let timer: NodeJS.Timeout | undefined;
	const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
		incoming.resume();
		const headers = new Headers();
		for (const [name, value] of Object.entries(incoming.headers))
			if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
		const {
			status,
			headers: said,
			body,
		} = await edge.handle({
			method: incoming.method ?? "GET",
			target: incoming.url ?? "/",
			headers,
			clientAddress: clientAddress(incoming),
		});
		response.writeHead(status, [...said].flat());
		if (body === null) response.end();
		else await pipeline(Readable.fromWeb(body as never), response);
	};
	return {
		listener(incoming, response) {
			answer(incoming, response).catch((error: unknown) => {
				if (response.headersSent) response.destroy();
				else response.writeHead(502, { "cache-control": "no-store" }).end();
				options.warn?.(`An answer failed: ${error instanceof Error ? error.message : String(error)}`);
			});
		},
		start() {
			if (timer !== undefined) return;
			const poll = () => void edge.poll();
			timer = setInterval(poll, pollMilliseconds).unref();
			poll();
		},
		poll: edge.poll,
		stop() {
			clearInterval(timer);
			timer = undefined;
			close();
		},
	};
}

/** Asks the service with exactly these paths and headers: `fetch` would rewrite paths, and add headers. */
function createNodeOrigin(service: string, silenceMilliseconds: number): { origin: Origin; close: () => void } {
	const { protocol, hostname, port, pathname } = new URL(service);
	const isSecure = protocol === "https:";
	const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
	const prefix = pathname.replace(/\/+$/, "");
	const origin: Origin = ({ method, target, headers }) =>
		new Promise((resolve, reject) => {
			const asked = (isSecure ? secureRequest : request)({
				hostname: hostname.replace(/^\[|\]$/g, ""),
				port,
				method,
				path: prefix + target,
				headers: Object.fromEntries(headers),
				agent,
				timeout: silenceMilliseconds,
			});
			asked.on("timeout", () => asked.destroy(new Error("The service says nothing.")));
			let isAnswered = false;
			asked.on("error", (error: NodeJS.ErrnoException) => {
				// The service may end an idle connection at the moment when it is used again.
				const wasIdle = !isAnswered && asked.reusedSocket && error.code === "ECONNRESET";
				if (wasIdle) resolve(origin({ method, target, headers }));
				else reject(error);
			});
			asked.on("response", (incoming) => {
				isAnswered = true;
				const { statusCode: status = 502, rawHeaders } = incoming;
				const said = new Headers();
				for (let index = 0; index < rawHeaders.length; index += 2)
					said.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
				const isBodiless = method === "HEAD" || status === 204 || status === 304;
				if (isBodiless) incoming.resume();
				const body = isBodiless ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
				resolve(new Response(body, { status, headers: said }));
			});
			asked.end();
		});
	return { origin, close: () => agent.destroy() };
}

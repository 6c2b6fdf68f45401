import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { Socket } from "node:net";
import { ReelmillError } from "@reelmill/contracts";
import {
	type Clock,
	createThrottledLogger,
	type Logger,
	type Random,
	systemClock,
	systemRandom,
} from "@reelmill/engine";
import { createClientKeyOf, createIsTrusted } from "../client/client-address.ts";
import type { HttpOptions } from "../options.ts";
import { planeNameOf } from "../plane-name.ts";
import { createRequestIdOf } from "../request-context.ts";
import { Connection } from "./connection.ts";
import { refusalOfParser, refuseRaw, tooLate } from "./raw-refusal.ts";
import { watchSecureSockets } from "./secure-sockets.ts";
import { createWaitingConnections } from "./waiting-connections.ts";

/** How a server is guarded. A server may be guarded before there is an engine, so these are options of its own. */
export type GuardOptions = Pick<HttpOptions, "trustedProxies" | "workerNetworks"> & {
	readonly logger: Logger;
	/** Measures how long connections wait, and dates answers to malformed requests (default: the machine's clock). */
	readonly clock?: Clock;
	/** Makes the ids of malformed requests (default: the system's). */
	readonly random?: Random;
	/**
	 * How long a request's head may take to arrive, in seconds (default: 15). For the first request of a connection, the
	 * time begins with the connection.
	 */
	readonly headersSeconds?: number;
	/**
	 * How many connections may wait for a request, new and kept ones together (default: 512). If there is one more, the
	 * server closes the connection that has waited longest.
	 */
	readonly waitingConnections?: number;
	/**
	 * How many new connections of one client may wait for a request (default: 64). A client is an IPv4 address, or the
	 * /64 network of an IPv6 address. Trusted proxies and networks of workers have no such limit.
	 */
	readonly waitingConnectionsPerAddress?: number;
};

const lookMilliseconds = 1000;
const warnMilliseconds = 60_000;
const headMethod = Buffer.from("HEAD ");

/**
 * Guards a server, plain or TLS, against connections that never send a request, and answers malformed requests as the
 * contract says. Returns the same server. Call it once for a server, before the server listens.
 *
 * It sets the server's timeouts: a request's head must arrive within `headersSeconds`. The whole request has no limit,
 * because the listener limits pauses. The guard ignores connections that were upgraded.
 *
 * @throws {TypeError} when an entry of `trustedProxies` or `workerNetworks` is no CIDR; the message names the first
 * such entry.
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { guardServer } from "@reelmill/http";
 *
 * const logger = { debug() {}, info() {}, warn() {}, error() {} };
 * const server = guardServer(createServer(), { logger, headersSeconds: 10 });
 * console.log(server.headersTimeout, server.requestTimeout); // => 10000 0
 * ```
 */
export function guardServer<S extends Server | SecureServer>(server: S, options: GuardOptions): S {
	const { clock = systemClock, random = systemRandom, headersSeconds = 15 } = options;
	const { trustedProxies = [], workerNetworks = [] } = options;
	const logger = createThrottledLogger(options.logger, clock);
	const { waitingConnections = 512, waitingConnectionsPerAddress = 64 } = options;
	const clientOf = createClientKeyOf(trustedProxies);
	const isTrusted = createIsTrusted([...trustedProxies, ...workerNetworks]);
	const requestIdOf = createRequestIdOf(random);
	const waiting = createWaitingConnections<Connection>({
		most: waitingConnections,
		mostPerClient: waitingConnectionsPerAddress,
	});
	const connections = new WeakMap<Socket, Connection>();

	// An error without a listener would end the process. The system refuses the connection that could not be accepted,
	// and the server accepts later ones.
	server.on("listening", () => {
		server.on("error", (error) => logger.error({ error }, "a connection could not be accepted"));
	});

	server.headersTimeout = headersSeconds * 1000;
	server.requestTimeout = 0;
	// The listener refuses a request without Host with the contract's body; Node's own refusal has no body. Node
	// documents this only as an option of createServer.
	Object.assign(server, { requireHostHeader: false });

	let [closed, warnedAt] = [0, Number.NEGATIVE_INFINITY];
	const close = (tooMany: readonly Connection[]) => {
		for (const { socket } of tooMany) socket.destroy();
		closed += tooMany.length;
	};
	const refuse = (connection: Connection, error: ReelmillError, unread?: Buffer) => {
		const { socket, refusable: request } = connection;
		connection.isRefused = true;
		waiting.remove(connection);
		if (request === undefined) return void socket.destroy();
		const requestId = requestIdOf(request?.headers["x-request-id"]?.toString());
		logger.debug({ request_id: requestId, status: error.status, reason: error.message }, "request refused");
		const plane = request === null ? null : planeNameOf(request.url ?? "/");
		const isHead =
			request === null
				? (unread?.subarray(0, headMethod.length).equals(headMethod) ?? false)
				: request.method === "HEAD";
		refuseRaw(socket, { error, requestId, plane, isHead, now: clock.now() });
	};

	const look = (now: number) => {
		for (const connection of waiting.opening) {
			if (now - connection.since < headersSeconds * 1000) break;
			if (connection.hasSpoken) refuse(connection, tooLate());
			else connection.socket.destroy();
			waiting.remove(connection);
		}
		for (const connection of waiting.kept) {
			if (!connection.hasSpoken) continue;
			connection.since = now;
			close(waiting.addOpening(connection));
		}
		if (closed === 0 || now - warnedAt < warnMilliseconds) return;
		logger.warn(
			{ connections: closed },
			"too many connections waited for a request; those that had waited longest were closed",
		);
		[closed, warnedAt] = [0, now];
	};
	let isLooking = false;
	const keepLooking = async () => {
		if (isLooking) return;
		isLooking = true;
		while (waiting.size > 0) {
			await clock.sleep(lookMilliseconds);
			look(clock.elapsed());
		}
		isLooking = false;
	};

	const forget = (socket: unknown) => {
		const connection = connections.get(socket as Socket);
		if (connection !== undefined) waiting.remove(connection);
		return connection;
	};
	const began = (request: IncomingMessage, response: ServerResponse) => {
		const connection = forget(request.socket);
		if (connection === undefined) return;
		connection.begin({ request, response });
		response.once("close", () => {
			if (!connection.end(clock.elapsed())) return;
			close(waiting.addKept(connection));
			void keepLooking();
		});
	};
	server.prependListener("connection", (socket: Socket) => {
		const peer = socket.remoteAddress;
		const connection = new Connection(
			socket,
			peer !== undefined && isTrusted(peer) ? null : clientOf(peer, null),
			clock.elapsed(),
		);
		connections.set(socket, connection);
		socket.once("close", () => forget(socket));
		close(waiting.addOpening(connection));
		void keepLooking();
	});
	watchSecureSockets(server, (socket, secure) => {
		const connection = connections.get(socket);
		if (connection === undefined) return;
		connection.socket = secure;
		connections.set(secure, connection);
	});
	server.prependListener("request", began);
	// Node treats such requests in another way as soon as there is a listener. So the guard adds its own only if the
	// server has another one.
	const addBeside = (name: "upgrade" | "checkContinue", come: () => unknown) => {
		const isThere = () => server.listenerCount(name) > 0;
		if (isThere()) come();
		else server.on("newListener", (added) => added === name && !isThere() && process.nextTick(come));
	};
	addBeside("upgrade", () => server.prependListener("upgrade", (_request, socket) => void forget(socket)));
	addBeside("checkContinue", () => server.prependListener("checkContinue", began));
	server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
		if (server.listenerCount("checkExpectation") === 1) server.emit("request", request, response);
	});
	server.on("connect", (_request: IncomingMessage, socket) => {
		const connection = forget(socket);
		if (server.listenerCount("connect") > 1 || connection === undefined) return;
		refuse(connection, new ReelmillError("bad_request", { message: "This server is no proxy." }));
	});
	server.prependListener(
		"clientError",
		({ code, rawPacket }: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
			const connection = connections.get(socket as Socket);
			const error = refusalOfParser(code);
			if (connection === undefined || error === null) socket.destroy();
			else if (!connection.isRefused) refuse(connection, error, rawPacket);
		},
	);
	return server;
}

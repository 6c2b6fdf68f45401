import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { privateHeaders } from "@reelmill/contracts";
import type { Logger } from "@reelmill/engine";
import { checkTrustedProxies, checkWorkerNetworks, type GuardOptions, guardServer } from "@reelmill/http";
import { namingSetting, StartError } from "@reelmill/settings";
import type { Config } from "../config.ts";

export type Listening = {
	readonly port: number;
	/** Passes requests to `listener` from now on. Until then the server answers 503 with Retry-After. */
	serve(listener: RequestListener): void;
	/**
	 * Takes no new connections, and cuts requests that still run after `graceMilliseconds`. Each connection is closed
	 * after its answer. Resolves when no connection is left.
	 */
	close(graceMilliseconds: number): Promise<void>;
};

/**
 * Returns how the settings want a port to be guarded.
 *
 * @throws {StartError} when a setting names a network that is none.
 */
export function guardOf(config: Config, logger: Logger): GuardOptions {
	namingSetting("REELMILL_TRUSTED_PROXIES", () => checkTrustedProxies(config.TRUSTED_PROXIES));
	namingSetting("REELMILL_WORKER_CIDRS", () => checkWorkerNetworks(config.WORKER_CIDRS));
	return {
		logger,
		trustedProxies: config.TRUSTED_PROXIES,
		workerNetworks: config.WORKER_CIDRS,
		waitingConnections: config.WAITING_CONNECTIONS,
		waitingConnectionsPerAddress: config.WAITING_CONNECTIONS_PER_ADDRESS,
	};
}

export type ListenOptions = {
	/** The setting that a refusal names (default: REELMILL_PORT). */
	readonly setting?: string;
	/** Whether all processes of the server have the port together (default: false). */
	readonly isShared?: boolean;
};

/**
 * Opens a port with a guarded server. Call it before anything else is created, so that a taken port costs nothing.
 *
 * @throws {StartError} when the port can't be opened; the message names the setting.
 */
export async function listen(
	host: string,
	port: number,
	guard: GuardOptions,
	{ setting = "REELMILL_PORT", isShared = false }: ListenOptions = {},
): Promise<Listening> {
	let listener: RequestListener = (_request, response) => {
		response.writeHead(503, { "content-type": "application/json", "retry-after": "1", ...privateHeaders });
		response.end('{"error":"internal_error","message":"The server is starting."}');
	};
	const server = guardServer(
		createServer({ keepAliveTimeout: 65_000, optimizeEmptyRequests: true }, (request, response) =>
			listener(request, response),
		),
		guard,
	);
	await new Promise<void>((resolve, reject) => {
		server.once("error", (error: NodeJS.ErrnoException) => reject(refusal(error, host, port, setting)));
		server.listen({ port, host, exclusive: !isShared }, resolve);
	});
	return {
		port: (server.address() as AddressInfo).port,
		serve(next) {
			listener = next;
		},
		close: (graceMilliseconds) => close(server, graceMilliseconds),
	};
}

function refusal(error: NodeJS.ErrnoException, host: string, port: number, setting: string): StartError {
	if (error.code === "EADDRINUSE")
		return new StartError(
			`Port ${port} on ${host} is taken by another program; stop it, or set ${setting} to a free port.`,
			{ cause: error },
		);
	if (error.code === "EACCES")
		return new StartError(`Port ${port} on ${host} may not be opened by this user; set ${setting} to one above 1023.`, {
			cause: error,
		});
	if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
		return new StartError(
			`This machine has no address ${host}; set ${setting.replace(/PORT$/, "HOST")} to one that it has.`,
			{ cause: error },
		);
	return new StartError(`Port ${port} on ${host} can't be opened (${error.code ?? error.message}).`, { cause: error });
}

const lookMilliseconds = 50;

async function close(server: Server, graceMilliseconds: number): Promise<void> {
	const closed = new Promise((resolve) => server.close(resolve));
	// A kept connection becomes idle only after its answer, so this looks again and again.
	const look = setInterval(() => server.closeIdleConnections(), lookMilliseconds);
	const cut = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
	await closed;
	clearInterval(look);
	clearTimeout(cut);
}

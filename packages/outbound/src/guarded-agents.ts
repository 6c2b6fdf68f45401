import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Socket } from "node:net";
import { createGuardedConnector, type GuardedConnectorOptions } from "./guarded-connector.ts";

export type GuardedAgentsOptions = GuardedConnectorOptions & {
	/** Connections open at once to one origin; a request beyond them waits for one. Default 64. */
	readonly maxSockets?: number;
	/** How long a connection that nobody uses is kept, in milliseconds. Default 4000. */
	readonly keepAliveMilliseconds?: number;
};

/** Agents for `node:http` and `node:https`. `destroy` ends every connection, those in use included, and refuses those that come after it. */
export type GuardedAgents = { readonly http: HttpAgent; readonly https: HttpsAgent; destroy(): void };

type Create = HttpAgent["createConnection"];

/**
 * Agents whose every connection is made by a guarded connector, for libraries that stand on Node's own client.
 *
 * A request to an address that `rules` don't allow fails with a {@link BlockedAddressError}. Redirects are the caller's affair: Node's client follows none.
 */
export function createGuardedAgents(options: GuardedAgentsOptions): GuardedAgents {
	const { maxSockets = 64, keepAliveMilliseconds = 4000, ...guard } = options;
	const connect = createGuardedConnector(guard);
	let destroyed = false;
	const creating =
		(protocol: "http:" | "https:"): Create =>
		({ host, port, servername }: Parameters<Create>[0] & { readonly servername?: string }, done) => {
			const answer: Parameters<typeof connect>[1] = (...[error, socket]) => {
				if (socket && !destroyed) return done?.(null, socket);
				socket?.destroy();
				done?.(error ?? new Error("The agent is closed"), undefined as never);
			};
			const hostname = host ?? "localhost";
			connect({ hostname, host: hostname, protocol, port: String(port ?? ""), ...(servername ? { servername } : {}) }, answer);
			return undefined;
		};
	const settings = { keepAlive: true, maxSockets, timeout: keepAliveMilliseconds, scheduling: "lifo" } as const;
	const http = Object.assign(new HttpAgent(settings), { createConnection: creating("http:") });
	const https = Object.assign(new HttpsAgent(settings), { createConnection: creating("https:") });
	return {
		http,
		https,
		destroy() {
			destroyed = true;
			http.destroy();
			https.destroy();
		},
	};
}

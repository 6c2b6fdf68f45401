import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import {
	BlockedAddressError,
	checkedAddresses,
	type Guard,
	type GuardedConnectorOptions,
	guardOf,
	refusalOf,
} from "./checked-addresses.ts";

/** Which addresses are allowed beside public ones, and how many connections go to an origin. */
export type GuardedAgentsOptions = GuardedConnectorOptions & {
	/** How many connections to one origin may be open at once (default: 64). A request beyond them waits. */
	readonly maxSockets?: number;
	/** How long an unused connection is kept, in milliseconds (default: 4000). */
	readonly keepAliveMilliseconds?: number;
};

/** Agents for `node:http` and `node:https`. `destroy` closes every connection, those in use included. */
export type GuardedAgents = { readonly http: HttpAgent; readonly https: HttpsAgent; destroy(): void };

type Create = HttpAgent["createConnection"];

/**
 * Makes agents that guard every connection as `createGuardedConnector` does, for libraries on Node's own client. The
 * name is resolved once, all of its addresses are checked, and the connection goes to an address that was checked; SNI
 * and Host stay the name's. The socket's real address is checked again.
 *
 * A request to an address that `rules` don't allow fails with a {@link BlockedAddressError}. Redirects are the caller's
 * task: Node's client follows none.
 *
 * @example
 * ```ts
 * import { get } from "node:http";
 * import { createAddressRules, createGuardedAgents } from "@reelmill/outbound";
 *
 * const agents = createGuardedAgents({ rules: createAddressRules([]) });
 * const error = await new Promise<Error>((resolve) => {
 * 	get("http://127.0.0.1/", { agent: agents.http }).on("error", resolve);
 * });
 * agents.destroy();
 * console.log(error.name); // => BlockedAddressError
 * ```
 */
export function createGuardedAgents(options: GuardedAgentsOptions): GuardedAgents {
	const { maxSockets = 64, keepAliveMilliseconds = 4000, ...given } = options;
	const guard = guardOf(given);
	const settings = { keepAlive: true, maxSockets, timeout: keepAliveMilliseconds, scheduling: "lifo" } as const;
	const [http, https] = [new HttpAgent(settings), new HttpsAgent(settings)];
	http.createConnection = guarded(http.createConnection.bind(http), "connect", guard);
	https.createConnection = guarded(https.createConnection.bind(https), "secureConnect", guard);
	return {
		http,
		https,
		destroy() {
			http.destroy();
			https.destroy();
		},
	};
}

/**
 * Returns the socket at once, as Node's own does. An agent doesn't count connections that are handed to it later, so
 * that their number would have no bound.
 */
function guarded(create: Create, ready: "connect" | "secureConnect", guard: Guard): Create {
	const { rules, connectTimeoutMilliseconds: timeout } = guard;
	const lookup: LookupFunction = (host, { all }, done) => {
		checkedAddresses(host, guard).then(
			(addresses) => {
				const found = addresses.map((address) => ({ address, family: isIP(address) }));
				if (all) done(null, found);
				else done(null, found[0]?.address ?? "", found[0]?.family);
			},
			(error: Error) => done(error, []),
		);
	};
	return (target, done) => {
		const host = target.host ?? "localhost";
		// Node asks no lookup about an address.
		if (isIP(host) && !rules.allows(host)) {
			setImmediate(() => done?.(new BlockedAddressError(`${host} is a blocked address`), undefined as never));
			return undefined;
		}
		const socket = create({ ...target, host, lookup }, done) as Socket;
		socket.once("connect", () => {
			const refusal = refusalOf(socket, host, rules);
			if (refusal !== null) socket.destroy(refusal);
		});
		const late = () =>
			socket.destroy(Object.assign(new Error(`${host} took too long to connect to`), { code: "ETIMEDOUT" }));
		const timer = setTimeout(late, timeout);
		for (const event of [ready, "close"]) socket.once(event, () => clearTimeout(timer));
		return socket;
	};
}

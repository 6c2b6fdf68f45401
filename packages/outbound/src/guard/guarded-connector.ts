import { isIP, type Socket } from "node:net";
import { buildConnector } from "undici";
import {
	BlockedAddressError,
	checkedAddresses,
	type GuardedConnectorOptions,
	guardOf,
	refusalOf,
} from "./checked-addresses.ts";

/**
 * Makes a connector for undici's Agent, Pool and Client (their `connect` option) that reaches only what `rules` allow.
 *
 * Each new connection resolves its name, and is refused if any of the name's addresses isn't allowed. It connects to an
 * address that was checked; SNI and Host stay the name's. The socket's real address is checked again. A name that
 * resolves differently the second time gains nothing.
 *
 * @example
 * ```ts
 * import { createAddressRules, createGuardedConnector } from "@reelmill/outbound";
 *
 * const connect = createGuardedConnector({ rules: createAddressRules([]) });
 * const target = { hostname: "127.0.0.1", protocol: "http:", port: "80" };
 * const error = await new Promise<Error | null>((resolve) => connect(target, (...[reason]) => resolve(reason)));
 * console.log(error?.name); // => BlockedAddressError
 * ```
 */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
	const guard = guardOf(options);
	const { rules, connectTimeoutMilliseconds: timeout } = guard;
	const connect = buildConnector({ timeout, allowH2: false });

	async function open(target: buildConnector.Options): Promise<Socket> {
		const host = target.hostname.replace(/^\[|\]$/g, "");
		const addresses = await checkedAddresses(host, guard);
		// For plain HTTP, undici takes `servername` for a name to resolve.
		const { servername: _, ...plain } = target;
		const named = target.protocol === "https:" && !isIP(host) ? { ...plain, servername: host } : plain;
		let failure: unknown;
		for (const address of addresses) {
			try {
				const socket = await connected({ ...named, hostname: address });
				const refusal = refusalOf(socket, host, rules);
				if (refusal === null) return socket;
				socket.destroy();
				throw refusal;
			} catch (error) {
				if (error instanceof BlockedAddressError) throw error;
				failure = error;
			}
		}
		throw failure;
	}

	const connected = (target: buildConnector.Options): Promise<Socket> =>
		new Promise((resolve, reject) =>
			connect(target, (...[error, socket]) => (error ? reject(error) : resolve(socket as Socket))),
		);

	return (target, callback) => {
		open(target).then(
			(socket) => callback(null, socket),
			(error: Error) => callback(error, null),
		);
	};
}

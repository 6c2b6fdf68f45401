import { isIP, type Socket } from "node:net";
import { buildConnector } from "undici";
import type { AddressRules } from "./address-rules.ts";
import { type Lookup, resolveName } from "./resolve-name.ts";

/** The host is, or one of its name's addresses is, one that may not be reached. */
export class BlockedAddressError extends Error {
	override readonly name = "BlockedAddressError";
	readonly code = "BLOCKED_ADDRESS";
}

export type GuardedConnectorOptions = {
	readonly rules: AddressRules;
	/** How long the name's resolution, and then the connection to each address, may take, in milliseconds. Default 5000. */
	readonly connectTimeoutMilliseconds?: number;
	/** How names become addresses. Default `resolveName`. */
	readonly lookup?: Lookup;
};

/**
 * A connector for undici's Agent, Pool and Client (their `connect` option) that reaches only what `rules` allow.
 *
 * Each new connection resolves its name, refuses it when any of its addresses isn't allowed, connects to an address that was checked (SNI and Host stay
 * the name's), and looks at where the socket really is. A name that answers differently the second time gains nothing.
 */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
	const { rules, lookup = resolveName, connectTimeoutMilliseconds: timeout = 5000 } = options;
	const connect = buildConnector({ timeout, allowH2: false });

	async function open(target: buildConnector.Options): Promise<Socket> {
		const host = target.hostname.replace(/^\[|\]$/g, "");
		const addresses = isIP(host) ? [host] : await within(timeout, lookup(host));
		if (addresses.length === 0) throw Object.assign(new Error(`${host} has no address`), { code: "ENOTFOUND" });
		for (const address of addresses) if (!rules.allows(address)) throw new BlockedAddressError(`${host} is at a blocked address`);
		// undici takes `servername` of plain HTTP for a name to resolve.
		const { servername: _, ...plain } = target;
		const named = target.protocol === "https:" && !isIP(host) ? { ...plain, servername: host } : plain;
		let failure: unknown;
		for (const address of addresses) {
			try {
				const socket = await connected({ ...named, hostname: address });
				if (socket.remoteAddress !== undefined && rules.allows(socket.remoteAddress)) return socket;
				socket.destroy();
				throw new BlockedAddressError(`${host} led to a blocked address`);
			} catch (error) {
				if (error instanceof BlockedAddressError) throw error;
				failure = error;
			}
		}
		throw failure;
	}

	const connected = (target: buildConnector.Options): Promise<Socket> =>
		new Promise((resolve, reject) => connect(target, (...[error, socket]) => (error ? reject(error) : resolve(socket as Socket))));

	return (target, callback) => {
		open(target).then(
			(socket) => callback(null, socket),
			(error: Error) => callback(error, null),
		);
	};
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(Object.assign(new Error("The name's servers don't answer"), { code: "ETIMEOUT" })), milliseconds);
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createExchange, type SeenRequest } from "./exchange.ts";
import { createRules, type FaultRule, type RuleHandle } from "./rules.ts";

export type FaultProxy = {
	/** Where clients connect, without a slash at its end. */
	readonly url: string;
	/** Every request, in order of arrival. Each entry changes while its request runs. */
	readonly seen: readonly SeenRequest[];
	/** Adds a rule after the existing ones. The first rule that strikes a request decides. */
	use(rule: FaultRule): RuleHandle;
	/** Removes all rules. Requests that run go on as they began. */
	clear(): void;
	/**
	 * Cuts every connection on both sides and stops listening. Resolves when all are gone. Calling it twice is harmless.
	 */
	close(): Promise<void>;
};

/**
 * Opens a proxy in front of an HTTP server, on a free port of the loopback. Bodies of any size stream at the pace of
 * the slower side. Headers pass unchanged, so that `Host`, and signatures with it, stay valid; the exceptions are those
 * that RFC 9110, section 7.6.1, binds to one connection. Each request has its own connection to the server. If that
 * can't be made, or breaks, the client's connection is cut as well.
 */
export async function openFaultProxy({
	target,
}: {
	/** The server's address, http only. */ readonly target: string;
}): Promise<FaultProxy> {
	const { hostname, port, protocol } = new URL(target);
	if (protocol !== "http:") throw new TypeError(`The fault proxy speaks http alone, not ${protocol}`);
	const rules = createRules();
	const seen: SeenRequest[] = [];
	const running = new Set<Promise<void>>();
	const server = createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 });
	const exchange = createExchange({ hostname, port: Number(port || 80) });
	const take = (request: IncomingMessage, response: ServerResponse) => {
		const entry: SeenRequest = {
			method: request.method ?? "GET",
			path: request.url ?? "/",
			answered: null,
			status: null,
			requestBytes: 0,
			answerBytes: 0,
			fault: null,
		};
		seen.push(entry);
		const run: Promise<void> = exchange(request, response, entry, rules.strike(entry)).finally(() =>
			running.delete(run),
		);
		running.add(run);
	};
	server.on("request", take).on("checkContinue", take);
	await once(server.listen(0, "127.0.0.1"), "listening");
	let closed: Promise<void> | undefined;
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		seen,
		use: rules.add,
		clear: rules.clear,
		close() {
			closed ??= (async () => {
				const ended = once(server, "close");
				server.close();
				server.closeAllConnections();
				await Promise.all([ended, ...running]);
			})();
			return closed;
		},
	};
}

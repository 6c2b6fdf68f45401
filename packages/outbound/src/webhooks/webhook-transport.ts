import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import type { WebhookRequest, WebhookResult, WebhookTransport } from "@reelmill/engine/ports";
import { Agent, type Dispatcher, errors } from "undici";
import { createAddressRules } from "../guard/address-rules.ts";
import { createGuardedConnector } from "../guard/guarded-connector.ts";
import { hasBlockedAddress } from "../guard/http-url.ts";
import type { Lookup } from "../names/lookup.ts";
import { createResolver } from "../names/resolver.ts";
import { parseWebhookUrl } from "./webhook-url.ts";

/** Which addresses are allowed beside public ones, and how long an attempt may take. */
export type WebhookTransportOptions = {
	/** Address ranges, each like `10.0.0.0/8`, that may be reached in addition to public addresses. */
	readonly allow: readonly string[];
	/** How long a whole attempt may take, name resolution included, in milliseconds (default: 10,000). */
	readonly timeoutMilliseconds?: number;
	/** How many bytes of an answer's body are read before the connection is closed (default: 65,536). */
	readonly maxResponseBytes?: number;
	/** The `user-agent` of requests that have none (default: `Reelmill-Webhooks/1`). */
	readonly userAgent?: string;
	/** Resolves names to addresses. */
	readonly lookup?: Lookup;
};

/**
 * As many as attempts that run at once. Tenants share origins, and one whose path hangs must not take the others'
 * connections.
 */
const connectionsPerOrigin = 256;
const originsAtOnce = 2048;
const keepAliveMilliseconds = 4000;

/**
 * Makes the engine's WebhookTransport over undici, behind the guarded connector. Connections stay open for 4 s between
 * attempts, at most 256 to an origin. An attempt whose signal aborts, or that meets a closed transport, also resolves
 * with a result.
 *
 * @throws {TypeError} when an entry of `allow` isn't a range; the message names it.
 *
 * @example
 * ```ts
 * import { createWebhookTransport } from "@reelmill/outbound";
 *
 * const transport = createWebhookTransport({ allow: [] });
 * const result = await transport.send({ url: "http://10.0.0.1/", headers: {}, body: new Uint8Array() });
 * await transport.close();
 * console.log(result.error); // => blocked_address
 * ```
 */
export function createWebhookTransport(options: WebhookTransportOptions): WebhookTransport {
	const {
		timeoutMilliseconds = 10_000,
		maxResponseBytes = 65_536,
		userAgent = "Reelmill-Webhooks/1",
		lookup = createResolver(),
	} = options;
	const rules = createAddressRules(options.allow);
	const agent = new Agent({
		connect: createGuardedConnector({ rules, connectTimeoutMilliseconds: timeoutMilliseconds, lookup }),
		connections: connectionsPerOrigin,
		maxOrigins: originsAtOnce,
		keepAliveTimeout: keepAliveMilliseconds,
		keepAliveMaxTimeout: keepAliveMilliseconds,
		headersTimeout: timeoutMilliseconds,
		bodyTimeout: timeoutMilliseconds,
		allowH2: false,
	});

	return {
		async prepare(text) {
			const host = parseWebhookUrl(text)?.hostname ?? "";
			if (host !== "" && isIP(host.replace(/^\[|\]$/g, "")) === 0) await lookup(host).catch(() => undefined);
		},
		async send({ url: text, headers, body, onAnswer }, signal) {
			const url = parseWebhookUrl(text);
			if (!url) return failed("invalid_url");
			if (hasBlockedAddress(url, rules)) return failed("blocked_address");
			if (signal?.aborted) return failed("aborted");
			const request = {
				origin: url.origin,
				path: url.pathname + url.search,
				method: "POST",
				headers: { "user-agent": userAgent, ...headers },
				body,
			} as const;
			return attempt(agent, request, { timeoutMilliseconds, maxResponseBytes, signal, onAnswer });
		},
		refusal(text) {
			const url = parseWebhookUrl(text);
			if (!url) return "must be a URL of http or https, without a user name or password";
			return hasBlockedAddress(url, rules) ? "must not be a private, loopback, link-local or reserved address" : null;
		},
		async close() {
			await agent.destroy();
		},
	};
}

type Limits = {
	readonly timeoutMilliseconds: number;
	readonly maxResponseBytes: number;
	readonly signal: AbortSignal | undefined;
	readonly onAnswer: WebhookRequest["onAnswer"];
};

/** How many bytes of an answer's body are told. */
const toldBytes = 2048;

/**
 * Sends one request. It uses undici's handler instead of `request`: only the status counts, so that no stream and no
 * signal is made for each request. Of the body the first bytes are told; the rest is read only so that the connection
 * can be used again. An answer whose body is cut off still counts. undici can't cancel a request that it hasn't begun,
 * so such a request is ended when it begins.
 */
function attempt(
	agent: Agent,
	request: Dispatcher.DispatchOptions,
	{ timeoutMilliseconds, maxResponseBytes, signal, onAnswer }: Limits,
): Promise<WebhookResult> {
	return new Promise((resolve) => {
		let running: Dispatcher.DispatchController | undefined;
		let status: number | undefined;
		let read = 0;
		let answered: IncomingHttpHeaders = {};
		const told: Buffer[] = [];
		let isOver = false;
		const finish = (error: string): void => {
			if (isOver) return;
			isOver = true;
			clearTimeout(timer);
			signal?.removeEventListener("abort", onAbort);
			if (status !== undefined)
				onAnswer?.({
					headers: Object.entries(answered).flatMap(([name, value]) =>
						[value ?? []].flat().map((one): [string, string] => [name, one]),
					),
					body: Buffer.concat(told).subarray(0, toldBytes),
					isTruncated: read > toldBytes || error !== "ended",
				});
			resolve(status === undefined ? failed(error) : resultOf(status));
		};
		const stop = (error: string): void => {
			finish(error);
			running?.abort(new Error(error));
		};
		const onAbort = () => stop("aborted");
		const timer = setTimeout(() => stop("timeout"), timeoutMilliseconds);
		signal?.addEventListener("abort", onAbort, { once: true });
		const handler: Dispatcher.DispatchHandler = {
			onRequestStart(controller) {
				running = controller;
				if (isOver) controller.abort(new Error("given up before it began"));
			},
			onResponseStart(_, code, headers) {
				if (code < 200) return;
				status = code;
				answered = headers;
			},
			onResponseData(_, chunk) {
				if (onAnswer !== undefined && read < toldBytes) told.push(chunk.subarray(0, toldBytes - read));
				read += chunk.length;
				if (read > maxResponseBytes) stop("too long");
			},
			onResponseEnd: () => finish("ended"),
			onResponseError: (_, error) => finish(wordFor(error)),
		};
		try {
			agent.dispatch(request, handler);
		} catch (error) {
			finish(wordFor(error));
		}
	});
}

const failed = (error: string): WebhookResult => ({ status: null, error });
const redirects = new Set([301, 302, 303, 307, 308]);

function resultOf(status: number): WebhookResult {
	if (status >= 200 && status <= 299) return { status, error: null };
	return { status, error: redirects.has(status) ? "redirect" : `status_${status}` };
}

const words: Readonly<Record<string, string>> = {
	BLOCKED_ADDRESS: "blocked_address",
	ENOTFOUND: "name_not_found",
	ENODATA: "name_not_found",
	ECONNREFUSED: "connection_refused",
	ECONNRESET: "connection_reset",
	EPIPE: "connection_reset",
	UND_ERR_SOCKET: "connection_reset",
	ETIMEDOUT: "timeout",
	ETIMEOUT: "timeout",
	UND_ERR_CONNECT_TIMEOUT: "timeout",
	UND_ERR_HEADERS_TIMEOUT: "timeout",
	UND_ERR_BODY_TIMEOUT: "timeout",
	UND_ERR_INVALID_ARG: "the request can't be sent as HTTP",
	UND_ERR_HEADERS_OVERFLOW: "the answer's headers are too large",
	UND_ERR_DESTROYED: "the transport is closed",
};

/** Matches the codes of OpenSSL and Node for a certificate that isn't accepted. */
const certificate = /CERT|ERR_TLS|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_SSL/;

function wordFor(error: unknown): string {
	const code = String((error as { code?: unknown }).code ?? "");
	if (words[code]) return words[code];
	if (certificate.test(code)) return `the TLS connection was refused (${code})`;
	return error instanceof errors.HTTPParserError ? "the answer isn't HTTP" : "connection_failed";
}

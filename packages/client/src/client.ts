import { routes } from "@reelmill/contracts/routes";
import type { Calls } from "@reelmill/contracts/types";
import ky from "ky";
import { checkBaseUrl } from "./base-url.ts";
import { failureOf } from "./call-failure.ts";
import { errorFromAnswer } from "./error-from-answer.ts";
import { exchange } from "./exchange.ts";
import type { SentBody } from "./foreign-answer.ts";
import type { Observers } from "./observers.ts";
import { randomKey } from "./random-key.ts";
import { requestUrl } from "./request-url.ts";
import { idempotentMethods, type RetryOptions, retryDefaults, secondsBeforeRetry } from "./retry-policy.ts";
import { waitToRetry } from "./wait-to-retry.ts";

/**
 * Names of the operations that send and return JSON, a text, a small file or nothing. Operations on more bytes, such as
 * uploads, are not among them.
 */
export type CallableName = keyof Calls;
/** Input of a call: those of `params` (of the path), `query` and `body` that the operation has. */
export type CallInput<K extends CallableName> = Calls[K]["input"];
/** Result of a call: the parsed body, or undefined if the answer has none (204). */
export type CallResult<K extends CallableName> = Calls[K]["result"];

/** A key or token, or a function that returns it; undefined is a setting that is missing, which the first call says. */
export type Credential = string | undefined | (() => string | undefined | Promise<string | undefined>);

/** Where the service is, and by which credential it is called. */
export type ClientOptions = Observers & {
	/**
	 * The address of the service, for example `https://video.example.com`, without the `/v1` of its paths. A path before
	 * `/v1` is kept.
	 */
	baseUrl: string | undefined;
	/**
	 * The key or token that is sent as `Authorization: Bearer`, or a function that returns it. The function is called for
	 * every call, so the token may change. Leave it out for calls that need none: if it is given and empty, the first
	 * call says so.
	 */
	credential?: Credential;
	/**
	 * The `fetch` that sends the requests (default: the platform's). A call ends in time even if it ignores the request's
	 * signal; what it does then goes on by itself.
	 */
	fetch?: typeof fetch;
	/** Bounds of the retries (default: those of `RetryOptions`). */
	retry?: RetryOptions;
	/** How many seconds one attempt may take (default: 60). */
	timeoutSeconds?: number;
};

/** What one call may have otherwise than its client. */
export type CallOptions = Observers & {
	/** Ends the call, even while it waits for a retry. The promise rejects with the signal's reason. */
	signal?: AbortSignal;
	/** How many seconds one attempt may take (default: the client's `timeoutSeconds`). */
	timeoutSeconds?: number;
	/** How many times the call is retried; 0 for never (default: the client's `retry.limit`). */
	retries?: number;
	/**
	 * Your own name for this one creation, 1 to 255 visible characters of ASCII; only `createVideo` and `createOutro`
	 * take it (default: a new random one for each call). If you keep it before the call, the call can be repeated after a
	 * crash: for 24 hours the same key with the same input gets the same answer, and creates nothing more.
	 */
	idempotencyKey?: string;
};

/** Calls every operation of the service, typed. */
export type Client = {
	/**
	 * Calls an operation by its name and returns the parsed answer.
	 *
	 * Error codes that the catalogue calls retryable are retried after the time that the server asks for (`Retry-After`,
	 * `retryAfter`). Lost answers, timeouts and `internal_error` are retried for GET, HEAD, PUT and DELETE, and for
	 * creations, which carry an `Idempotency-Key`. Quota codes are never retried, nor another POST or PATCH whose answer
	 * was lost: it may have had its effect.
	 * @throws {ReelmillError} when the answer is an error; it has `code`, `rawCode`, `extras`, `status` and `requestId`
	 * @throws {ConnectionError} when no answer came
	 * @throws {TypeError} when `baseUrl` or a `credential` that was given is missing, or `baseUrl` is no address of a
	 * service; the message says what to write
	 * @throws the signal's reason when the call was aborted
	 */
	call<K extends CallableName>(name: K, input: CallInput<K>, options?: CallOptions): Promise<CallResult<K>>;
};

/**
 * Creates a client for every JSON operation of the service. It opens no connection and checks no setting before the first
 * `call`. Any number of calls may run at once.
 * @example
 * ```ts
 * import { createClient } from "@reelmill/client";
 *
 * const client = createClient({ baseUrl: "https://video.example.com", credential: "ek_your_domain_key" });
 * const { data } = await client.call("listVideos", { query: { state: "available" } });
 * console.log(data); // => []
 * ```
 */
export function createClient(options: ClientOptions): Client {
	const retry = { ...retryDefaults, ...options.retry };
	const send: typeof fetch = options.fetch ?? ((...request) => fetch(...request));
	return {
		async call(name, input, call = {}) {
			const [method, path, keyed]: readonly [method: string, path: string, keyed?: "keyed"] = routes[name];
			const { params, query, body } = input as {
				params?: Record<string, unknown>;
				query?: Record<string, unknown>;
				body?: unknown;
			};
			const url = requestUrl(checkBaseUrl(options.baseUrl), path, params, query);
			const { signal, retries = retry.limit, timeoutSeconds = options.timeoutSeconds ?? 60 } = call;
			signal?.throwIfAborted();
			const credential = await credentialOf(options);
			const [type, bytes] =
				typeof body === "string"
					? ["text/plain", body]
					: body instanceof Uint8Array
						? ["application/octet-stream", body as Uint8Array<ArrayBuffer>]
						: ["application/json", JSON.stringify(body)];
			const headers = {
				accept: "application/json",
				...(credential !== undefined && { authorization: `Bearer ${credential}` }),
				...(body !== undefined && { "content-type": type }),
				...(keyed !== undefined && { "idempotency-key": call.idempotencyKey ?? randomKey() }),
			};
			const isRepeatable = keyed !== undefined || idempotentMethods.includes(method);
			const sent = { operation: name, method, url, send, observers: [options, call] };
			const milliseconds = timeoutSeconds * 1000;
			let count = 0;
			let seconds: number | null = null;
			const response = await ky(url, {
				method,
				headers,
				signal: signal ?? null,
				...(body !== undefined && { body: bytes }),
				timeout: milliseconds > longestTimer ? false : milliseconds,
				fetch: (request) => exchange(request as Request, { ...sent, attempt: ++count }),
				retry: {
					limit: retries,
					methods: [method.toLowerCase() as "get"],
					shouldRetry({ error, retryCount }) {
						seconds = secondsBeforeRetry(failureOf(error, sent), retryCount, isRepeatable, retry);
						return seconds !== null;
					},
					delay: () => 0,
				},
				hooks: {
					// Not ky's own pause: this one ends when the browser is online again, and not before.
					beforeRetry: [() => waitToRetry(seconds ?? 0, signal)],
					beforeError: [({ error }) => failureOf(error, sent).error],
				},
			});
			const text = await response.text();
			if (response.headers.get("content-type")?.startsWith("text/vtt")) return text as never;
			return (text === "" ? undefined : parsed(text, response, sent)) as never;
		},
	};
}

async function credentialOf(options: ClientOptions): Promise<string | undefined> {
	if (!("credential" in options)) return undefined;
	const { credential } = options;
	const value = typeof credential === "function" ? await credential() : credential;
	if (value === undefined || value.trim() === "")
		throw new TypeError(
			"credential is missing: give the key or token. Is the setting that holds it (REELMILL_API_KEY in the guides) empty? Leave credential out for calls that need none.",
		);
	return value;
}

/** The longest time that a timer can be set to, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

function parsed(text: string, { status, headers, url }: Response, request: SentBody): unknown {
	try {
		return JSON.parse(text);
	} catch {
		const headerOf = (name: string) => headers.get(name);
		throw errorFromAnswer({ status, body: "", request: { ...request, url: url || request.url }, headerOf });
	}
}

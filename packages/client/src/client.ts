import { isReelmillError, ReelmillError } from "@reelmill/contracts/errors";
import { routes } from "@reelmill/contracts/routes";
import type { Calls } from "@reelmill/contracts/types";
import ky, { isNetworkError, isTimeoutError, type KyInstance } from "ky";
import { ConnectionError } from "./connection-error.ts";
import { errorFromAnswer } from "./error-from-answer.ts";
import { requestUrl } from "./request-url.ts";
import {
	backoffSeconds,
	idempotentMethods,
	mayRetry,
	type RetryOptions,
	retryDefaults,
	secondsUntilRetry,
} from "./retry.ts";

/**
 * Names of the operations that send and return JSON or nothing. Operations on bytes, such as uploads, are not among
 * them.
 */
export type CallableName = keyof Calls;
/** Input of a call: those of `params` (of the path), `query` and `body` that the operation has. */
export type CallInput<K extends CallableName> = Calls[K]["input"];
/** Result of a call: the parsed body, or undefined if the answer has none (204). */
export type CallResult<K extends CallableName> = Calls[K]["result"];

/** Where the service is, and by which credential it is called. */
export type ClientOptions = {
	/** The address of the service, for example `https://video.example.com`. A path before `/v1` is kept. */
	baseUrl: string;
	/**
	 * The key or token that is sent as `Authorization: Bearer`, or a function that returns it. The function is called for
	 * every call, so the token may change.
	 */
	credential?: string | (() => string | Promise<string>);
	/** The `fetch` that sends the requests (default: the platform's). */
	fetch?: typeof fetch;
	/** Bounds of the retries (default: those of `RetryOptions`). */
	retry?: RetryOptions;
	/** How many seconds one attempt may take (default: 60). */
	timeoutSeconds?: number;
};

/** What may be said with one call. */
export type CallOptions = {
	/** Ends the call, even while it waits for a retry. The promise rejects with the signal's reason. */
	signal?: AbortSignal;
};

/** Calls every operation of the service, typed. */
export type Client = {
	/**
	 * Calls an operation by its name and returns the parsed answer.
	 *
	 * Error codes that the catalogue calls retryable are retried after the time that the server asks for (`Retry-After`,
	 * `retryAfter`). Failed connections are retried for GET, HEAD, PUT and DELETE. Quota codes are never retried, nor a
	 * POST or PATCH whose answer was lost: it may have had its effect.
	 * @throws {ReelmillError} when the answer is an error; it has `code`, `extras`, `status` and `requestId`
	 * @throws {ConnectionError} when no answer came
	 * @throws the signal's reason when the call was aborted
	 */
	call<K extends CallableName>(name: K, input: CallInput<K>, options?: CallOptions): Promise<CallResult<K>>;
};

/**
 * Creates a client for every JSON operation of the service. It opens no connection before the first `call`. Any number
 * of calls may run at once.
 * @throws {TypeError} when `baseUrl` is no absolute URL
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
	if (!URL.canParse(options.baseUrl))
		throw new TypeError(
			`baseUrl must be an absolute URL such as https://video.example.com, not ${JSON.stringify(options.baseUrl)}.`,
		);
	const http = transport(options);
	return {
		async call(name, input, { signal } = {}) {
			const [method, path] = routes[name];
			const { params, query, body } = input as {
				params?: Record<string, unknown>;
				query?: Record<string, unknown>;
				body?: unknown;
			};
			const url = requestUrl(options.baseUrl, path, params, query);
			signal?.throwIfAborted();
			const credential = typeof options.credential === "function" ? await options.credential() : options.credential;
			const headers = {
				accept: "application/json",
				...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
			};
			try {
				const answer = http(url, {
					method,
					headers,
					...(body === undefined ? {} : { json: body }),
					...(signal ? { signal } : {}),
				});
				const response = await answer;
				const text = await answer.text().catch((error: unknown) => {
					throw isTimeoutError(error)
						? error
						: new ConnectionError(
								"unreachable",
								`${method} ${url}: the connection broke in the middle of the answer.`,
								{ cause: error },
							);
				});
				return (text === "" ? undefined : parsed(text, response)) as never;
			} catch (error) {
				throw explained(error, `${method} ${url}`, signal);
			}
		},
	};
}

function transport({ fetch: send, retry, timeoutSeconds = 60 }: ClientOptions): KyInstance {
	const { limit, backoffSeconds: first, longestWaitSeconds } = { ...retryDefaults, ...retry };
	return ky.create({
		...(send ? { fetch: send } : {}),
		timeout: timeoutSeconds * 1000,
		throwHttpErrors: false,
		retry: {
			limit,
			methods: idempotentMethods.map((method) => method.toLowerCase()) as ("get" | "head" | "put" | "delete")[],
			delay: (retries) => backoffSeconds(retries, first) * 1000,
		},
		hooks: {
			afterResponse: [
				async ({ request, response, retryCount }) => {
					if (response.ok) return;
					const error = errorFromAnswer({
						status: response.status,
						body: await response.text().catch(() => ""),
						requestId: response.headers.get("x-request-id"),
					});
					const asked = secondsUntilRetry(
						response.headers.get("retry-after"),
						(error.extras as { retryAfter?: unknown }).retryAfter,
					);
					if (retryCount >= limit || !mayRetry(error, request.method) || (asked ?? 0) > longestWaitSeconds) throw error;
					return ky.retry({ delay: Math.max(asked ?? 0, backoffSeconds(retryCount + 1, first)) * 1000, cause: error });
				},
			],
		},
	});
}

function parsed(text: string, response: Response): unknown {
	try {
		return JSON.parse(text);
	} catch (cause) {
		const message = `${response.url} answered ${response.status} with something that is not JSON. Does the base URL lead to Reelmill?`;
		throw new ReelmillError("internal_error", { status: response.status, message, cause });
	}
}

function explained(error: unknown, call: string, signal: AbortSignal | undefined): unknown {
	if (signal?.aborted) return signal.reason;
	if (isReelmillError(error)) return error;
	if (isTimeoutError(error))
		return new ConnectionError("timeout", `${call} took too long to answer.`, { cause: error });
	if (isNetworkError(error))
		return new ConnectionError(
			"unreachable",
			`${call} got no answer: the server is not reachable or the connection broke.`,
			{ cause: error.cause ?? error },
		);
	return error;
}

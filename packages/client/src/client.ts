import type { Api, CallInput as InputOf, JsonOperationName, Output } from "@reelmill/contracts";
import { isReelmillError, ReelmillError } from "@reelmill/contracts/errors";
import { routes } from "@reelmill/contracts/routes";
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

/** Operations that take and give JSON or nothing. Bytes (uploads, deliveries, sources, archives) go another way. */
export type CallableName = JsonOperationName;
/** What a call takes: `params` of the path, `query` and `body`, as far as the operation has them. */
export type CallInput<K extends CallableName> = InputOf<Api[K]>;
/** What a call gives: the parsed body, or undefined where the answer has none (204). */
export type CallResult<K extends CallableName> =
	| Output<Api[K]>
	| (Api[K] extends { alternatives: readonly { status: 204 }[] } ? undefined : never);

export type ClientOptions = {
	/** Where the service is, for example `https://video.example.com`; a path before `/v1` is kept. */
	baseUrl: string;
	/**
	 * Sent as `Authorization: Bearer`. A function is asked anew for every call, so a token that changes can be handed in.
	 */
	credential?: string | (() => string | Promise<string>);
	/** A `fetch` to use instead of the platform's. */
	fetch?: typeof fetch;
	retry?: RetryOptions;
	/** Seconds that one try may take before it counts as failed; 60 unless told. */
	timeoutSeconds?: number;
};

export type CallOptions = {
	/** Ends the call, also while it waits for a retry; the promise rejects with the signal's reason. */
	signal?: AbortSignal;
};

export type Client = {
	/**
	 * Calls an operation by its name and gives its parsed answer.
	 *
	 * Retried: codes that the catalogue calls retryable, as late as the server asks (`Retry-After`, `retryAfter`), and,
	 * for GET, HEAD, PUT and DELETE, connections that fail. Never retried: quota codes, and a POST or PATCH whose answer
	 * was lost, because it may have had its effect.
	 * @throws ReelmillError for any answer that is an error: `code`, `extras`, `status`, `requestId`
	 * @throws ConnectionError when no answer came
	 * @throws the signal's reason when aborted
	 */
	call<K extends CallableName>(name: K, input: CallInput<K>, options?: CallOptions): Promise<CallResult<K>>;
};

/**
 * A client for every JSON operation of the service. It opens nothing until `call`; any number of calls may run at once.
 * @throws TypeError for a `baseUrl` that is no absolute URL
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

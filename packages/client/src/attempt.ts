import { isReelmillError, ReelmillError } from "@reelmill/contracts/errors";
import { AttemptFailed } from "./attempt-failed.ts";
import { ConnectionError } from "./connection-error.ts";
import { errorFromAnswer } from "./error-from-answer.ts";
import type { Observers, SentRequest } from "./observers.ts";
import { secondsUntilRetry } from "./retry.ts";

/** The longest time that a timer can be set to, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

export type Attempt = SentRequest & {
	readonly body: string | undefined;
	readonly send: typeof fetch;
	readonly timeoutSeconds: number;
	readonly signal: AbortSignal | undefined;
	readonly observers: readonly Observers[];
};

/**
 * Sends a request once and returns the parsed body; undefined for an empty one.
 * @throws {AttemptFailed} when the answer is an error, or none came
 * @throws what an observer throws, and the signal's reason
 */
export async function attempt(options: Attempt): Promise<unknown> {
	const { operation, method, url, headers, body, send, timeoutSeconds, signal, observers } = options;
	const sent: SentRequest = { operation, method, url, headers, attempt: options.attempt };
	for (const { onRequest } of observers) await onRequest?.(sent);

	signal?.throwIfAborted();
	const ending = new AbortController();
	const abort = () => ending.abort(signal?.reason);
	signal?.addEventListener("abort", abort);
	let isLate = false;
	const timer = setTimeout(
		() => {
			isLate = true;
			ending.abort();
		},
		Math.min(timeoutSeconds * 1000, longestTimer),
	);
	// A fetch of the caller's own may not know the signal: the call ends in time all the same.
	const ended = new Promise<never>((_, reject) =>
		ending.signal.addEventListener("abort", () => reject(ending.signal.reason)),
	);
	ended.catch(() => {});
	const failed = (cause: unknown, what: string): unknown => {
		if (signal?.aborted) return signal.reason;
		if (isReelmillError(cause)) return cause;
		const call = `${method} ${url}`;
		const error = isLate
			? new ConnectionError("timeout", `${call} took too long to answer.`, { cause })
			: new ConnectionError("unreachable", `${call}${what}`, { cause });
		return new AttemptFailed({ error });
	};
	try {
		const began = performance.now();
		const request = new Request(url, {
			method,
			headers,
			signal: ending.signal,
			...(body === undefined ? {} : { body }),
		});
		const response = await Promise.race([send(request), ended]).catch((cause: unknown) => {
			throw failed(cause, " got no answer: the server is not reachable or the connection broke.");
		});
		const { status } = response;
		const requestId = response.headers.get("x-request-id");
		const seconds = (performance.now() - began) / 1000;
		for (const { onResponse } of observers)
			await onResponse?.({ ...sent, status, requestId, seconds, headers: response.headers });
		const text = await Promise.race([response.text(), ended]).catch((cause: unknown) => {
			throw failed(cause, ": the connection broke in the middle of the answer.");
		});
		if (response.ok) return text === "" ? undefined : parsed(text, response);
		const error = errorFromAnswer({ status, body: text, requestId });
		const { retryAfter } = error.extras as { retryAfter?: unknown };
		const retryAfterSeconds = secondsUntilRetry(response.headers.get("retry-after"), retryAfter);
		throw new AttemptFailed({ error, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener("abort", abort);
	}
}

function parsed(text: string, response: Response): unknown {
	try {
		return JSON.parse(text);
	} catch (cause) {
		const message = `${response.url} answered ${response.status} with something that is not JSON. Does the base URL lead to Reelmill?`;
		throw new ReelmillError("internal_error", { status: response.status, message, cause });
	}
}

import { ConnectionError } from "./connection-error.ts";
import type { Observers, SentRequest } from "./observers.ts";

export type Exchange = Omit<SentRequest, "headers"> & {
	readonly send: typeof fetch;
	readonly observers: readonly Observers[];
};

/**
 * Sends a request once, tells the observers, and returns the answer with its whole body: one that breaks off is a
 * failure of the attempt.
 * @throws {ConnectionError} when no whole answer came
 * @throws what an observer throws, and the reason of the request's signal
 */
export async function exchange(request: Request, { send, observers, ...call }: Exchange): Promise<Response> {
	const { signal } = request;
	const sent: SentRequest = { ...call, headers: new Headers(request.headers) };
	for (const { onRequest } of observers) await onRequest?.(sent);
	// A fetch of the caller's own may not know the signal: the attempt ends in time all the same.
	const aborted = new Promise<never>((_, reject) => {
		signal.throwIfAborted();
		signal.addEventListener("abort", () => reject(signal.reason), { once: true });
	});
	aborted.catch(() => undefined);
	const unless = async <T>(what: string, step: Promise<T>): Promise<T> => {
		try {
			return await Promise.race([step, aborted]);
		} catch (cause) {
			if (signal.aborted) throw signal.reason;
			throw new ConnectionError("unreachable", `${call.method} ${call.url}${what}`, { cause });
		}
	};
	const began = performance.now();
	const answer = send(new Request(request, { headers: sent.headers }));
	const response = await unless(" got no answer: the server is not reachable or the connection broke.", answer);
	const { status, headers } = response;
	const seconds = (performance.now() - began) / 1000;
	for (const { onResponse } of observers)
		await onResponse?.({ ...sent, status, requestId: headers.get("x-request-id"), seconds, headers });
	const body = await unless(": the connection broke in the middle of the answer.", response.text());
	// A copy has no address. That of the answer tells where a redirect led.
	return Object.defineProperty(new Response(body === "" ? null : body, response), "url", { value: response.url });
}

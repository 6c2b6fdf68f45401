import type { Tracer } from "@reelmill/media";

/**
 * Returns a `fetch` whose requests are spans, and carry them to the server as `traceparent`. A request outside of every
 * span, such as a claim, is sent as it is. The span ends when the answer's headers are there.
 */
export function tracedFetch(send: typeof fetch, tracer: Tracer | undefined): typeof fetch {
	if (tracer === undefined) return send;
	return (input, init) => {
		if (tracer.current() === null) return send(input, init);
		const request = input instanceof Request ? input : null;
		const method = init?.method ?? request?.method ?? "GET";
		const template = templateOf(new URL(request?.url ?? String(input)).pathname);
		const attributes = { "http.request.method": method, "url.template": template };
		return tracer.span(`${method} ${template}`, { kind: "client", attributes }, async (span) => {
			const headers = new Headers(init?.headers ?? request?.headers);
			headers.set("traceparent", span.traceparent);
			const response = await send(input, { ...init, headers });
			span.set({ "http.response.status_code": response.status });
			if (response.status >= 400) span.fail(String(response.status));
			return response;
		});
	};
}

/** Returns a path with `{id}` in the place of ids. */
const templateOf = (path: string): string => path.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "{id}");

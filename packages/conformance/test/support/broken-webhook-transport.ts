import type { WebhookTransport } from "@reelmill/engine/ports";

/** A transport as a careless author writes it: a URL parser, a list of prefixes, and fetch. */
function naive(timeoutMilliseconds: number, options: RequestInit = {}): WebhookTransport {
	const blocked = (url: string) => /^http:\/\/(127|10|192\.168|localhost)/.test(url);
	return {
		async send({ url, headers, body }, signal) {
			if (!URL.canParse(url)) return { status: null, error: "invalid_url" };
			if (blocked(url)) return { status: null, error: "blocked_address" };
			const timeout = AbortSignal.timeout(timeoutMilliseconds);
			try {
				const request = {
					redirect: "manual",
					...options,
					method: "POST",
					headers,
					body: Buffer.from(body),
					signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
				} as const;
				const response = await fetch(url, request);
				await response.arrayBuffer();
				return { status: response.status, error: response.ok ? null : `status_${response.status}` };
			} catch {
				return { status: null, error: timeout.aborted ? "timeout" : "connection_failed" };
			}
		},
		refusal: (url) => (URL.canParse(url) && !blocked(url) ? null : "no"),
		async close() {},
	};
}

type Made = { readonly guarded: WebhookTransport; readonly allowing: WebhookTransport };

/** Each adapter breaks one promise of the port, and names the case that must notice. */
export const brokenWebhookTransports: readonly {
	readonly flaw: string;
	readonly noticedBy: string;
	make(real: Made, timeoutMilliseconds: number): Made;
}[] = [
	{
		flaw: "knows blocked addresses by how they are usually written",
		noticedBy: "refuses a name that stands for a blocked address, and opens no connection",
		make: (real, timeout) => ({ ...real, guarded: naive(timeout) }),
	},
	{
		flaw: "tells more of an answer than may be kept",
		noticedBy: "tells an answer's headers and the first 2048 bytes of its body, whatever they are, if it tells answers",
		make: (real) => ({
			...real,
			allowing: {
				...real.allowing,
				send: ({ onAnswer, ...request }) =>
					real.allowing.send({
						...request,
						onAnswer: (answer) => onAnswer?.({ ...answer, body: Buffer.alloc(5000) }),
					}),
			},
		}),
	},
	{
		flaw: "follows redirects",
		noticedBy: "never follows a redirect",
		make: (real, timeout) => ({
			...real,
			allowing: {
				...naive(timeout, { redirect: "follow" }),
				send: (request, signal) => unguarded(timeout, { redirect: "follow" }).send(request, signal),
			},
		}),
	},
	{
		flaw: "reads a body to its end",
		noticedBy: "is done with a body that never ends within its limits of time and bytes",
		make: (real) => ({ ...real, allowing: unguarded(60_000, {}) }),
	},
	{
		flaw: "rejects instead of answering",
		noticedBy: "tells apart that nobody listens, that the name doesn't exist, and that the connection breaks",
		make: (real) => ({
			...real,
			allowing: {
				...real.allowing,
				send: async ({ url, body }) => ({
					status: (await fetch(url, { method: "POST", body: Buffer.from(body) })).status,
					error: null,
				}),
			},
		}),
	},
	{
		flaw: "sends the body as text",
		noticedBy: "POSTs the exact bytes and headers to the path and query of the URL",
		make: (real) => ({
			...real,
			allowing: {
				...real.allowing,
				send: (request, signal) =>
					real.allowing.send({ ...request, body: Buffer.from(new TextDecoder().decode(request.body)) }, signal),
			},
		}),
	},
];

function unguarded(timeoutMilliseconds: number, options: RequestInit): WebhookTransport {
	const transport = naive(timeoutMilliseconds, options);
	return {
		...transport,
		send: ({ url, ...rest }, signal) =>
			transport.send({ url: url.replace("http://127.0.0.1", "http://2130706433"), ...rest }, signal),
	};
}

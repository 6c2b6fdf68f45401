import type { HttpRequest, HttpStack } from "tus-js-client";
import XHRHttpStack from "tus-js-client/lib/browser/httpStack.js";
import { ConnectionError } from "./connection-error.ts";
import { type StackRequest, wayTo } from "./way-to-service.ts";

/**
 * Sends requests by XMLHttpRequest where it exists: it reads a Blob from disk and tells how far it is, which `fetch`
 * can't in a page. Elsewhere by `fetch`, which every other platform has. A request rejects with a ConnectionError if no
 * answer came, or if `during`, which each of them is handed to, rejects with one; then it is aborted. A method that the way
 * to the service doesn't let pass is sent as POST.
 */
export function httpStack(during = <T>(request: Promise<T>): Promise<T> => request): HttpStack {
	const xhr = typeof XMLHttpRequest === "undefined" ? undefined : new XHRHttpStack();
	return {
		getName: () => "reelmill",
		createRequest(method, url) {
			const isOverridden = wayTo(url).overridden.has(method);
			const sentAs = isOverridden ? "POST" : method;
			const made = xhr?.createRequest(sentAs, url) ?? fetchRequest(sentAs, url);
			if (isOverridden) made.setHeader("X-HTTP-Method-Override", method);
			const send = made.send.bind(made);
			const request: HttpRequest & StackRequest = Object.assign(made, {
				isOverridden,
				bytes: 0,
				getMethod: () => method,
			});
			request.send = async (body: Blob | null) => {
				Object.assign(request, { bytes: body?.size ?? 0 });
				try {
					return await during(send(body));
				} catch (cause) {
					void request.abort();
					if (cause instanceof ConnectionError) throw cause;
					const message = `${method} ${url} got no answer: the server is not reachable or the connection broke.`;
					throw new ConnectionError("unreachable", message, { cause });
				}
			};
			return request;
		},
	};
}

/** Not in a service worker: it has no XMLHttpRequest, and its `fetch` sends a stream over HTTP/2 alone, if at all. */
const sendsStreams = !("ServiceWorkerGlobalScope" in globalThis);

function fetchRequest(method: string, url: string): HttpRequest {
	const headers = new Headers();
	const stop = new AbortController();
	let tell = (_: number) => {};
	return {
		getMethod: () => method,
		getURL: () => url,
		setHeader: (name, value) => headers.set(name, value),
		getHeader: (name) => headers.get(name) ?? undefined,
		setProgressHandler(handler) {
			tell = handler;
		},
		async send(body: Blob | null) {
			let sent = 0;
			const count = new TransformStream<Uint8Array, Uint8Array>({
				transform(bytes, controller) {
					controller.enqueue(bytes);
					sent += bytes.length;
					tell(sent);
				},
			});
			// The length is told, because a stream has none: otherwise the service can't refuse a body that is too long at once.
			if (body) headers.set("content-length", `${body.size}`);
			const response = await fetch(url, {
				method,
				headers,
				signal: stop.signal,
				...(body && (sendsStreams ? { body: body.stream().pipeThrough(count), duplex: "half" } : { body })),
			});
			// A request that is answered before its end can go on to read its body.
			tell = () => {};
			const text = await response.text();
			return {
				getStatus: () => response.status,
				getHeader: (name) => response.headers.get(name) ?? undefined,
				getBody: () => text,
				getUnderlyingObject: () => response,
			};
		},
		async abort() {
			tell = () => {};
			stop.abort();
		},
		getUnderlyingObject: () => undefined,
	};
}

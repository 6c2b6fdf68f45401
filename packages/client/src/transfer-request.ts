import { ConnectionError } from "./connection-error.ts";

export type TransferRequest = {
	method: "POST" | "HEAD" | "PATCH" | "DELETE";
	url: string;
	headers: Record<string, string>;
	body?: Blob;
	/** Called with the number of the body's bytes that were sent, until `send` settles. */
	onSent?: (bytes: number) => void;
	signal?: AbortSignal | undefined;
};

export type TransferAnswer = {
	/** The method and address that were asked, for messages. */
	request: string;
	isHead: boolean;
	status: number;
	header: (name: string) => string | null;
	body: string;
};

/**
 * Sends one request. XMLHttpRequest is used where it exists: it reads a Blob from disk and tells how far it is, which
 * `fetch` can't in a page.
 * @throws {ConnectionError} when no answer came; the signal's reason when it was aborted
 */
export async function send(request: TransferRequest): Promise<TransferAnswer> {
	const { onSent } = request;
	let settled = false;
	// A request that was aborted, or answered before its end, can go on to read its body.
	const untilSettled = { ...request, ...(onSent && { onSent: (bytes: number) => void (settled || onSent(bytes)) }) };
	try {
		return await (typeof XMLHttpRequest === "undefined" ? sendByFetch : sendByXmlHttpRequest)(untilSettled);
	} finally {
		settled = true;
	}
}

const nameOf = ({ method, url }: TransferRequest): string => `${method} ${url}`;

const withoutAnswer = (request: TransferRequest, cause: unknown): ConnectionError =>
	new ConnectionError(
		"unreachable",
		`${nameOf(request)} got no answer: the server is not reachable or the connection broke.`,
		{ cause },
	);

function sendByXmlHttpRequest(request: TransferRequest): Promise<TransferAnswer> {
	const { method, url, headers, body, onSent, signal } = request;
	return new Promise((resolve, reject) => {
		signal?.throwIfAborted();
		const exchange = new XMLHttpRequest();
		const abort = () => {
			exchange.abort();
			reject(signal?.reason);
		};
		exchange.open(method, url);
		for (const [name, value] of Object.entries(headers)) exchange.setRequestHeader(name, value);
		if (onSent) exchange.upload.onprogress = ({ loaded }) => onSent(loaded);
		exchange.onload = () =>
			resolve({
				request: nameOf(request),
				isHead: method === "HEAD",
				status: exchange.status,
				header: (name) => exchange.getResponseHeader(name),
				body: exchange.responseText,
			});
		exchange.onerror = (event) => reject(withoutAnswer(request, event));
		exchange.onloadend = () => signal?.removeEventListener("abort", abort);
		signal?.addEventListener("abort", abort, { once: true });
		exchange.send(body ?? null);
	});
}

async function sendByFetch(request: TransferRequest): Promise<TransferAnswer> {
	const { method, url, body, onSent, signal } = request;
	// The length is told, because a stream has none: otherwise the service can't refuse a body that is too long at once.
	const headers = body ? { ...request.headers, "content-length": String(body.size) } : request.headers;
	try {
		const response = await fetch(url, {
			method,
			headers,
			...(signal && { signal }),
			...(body && ({ body: counted(body, onSent, signal), duplex: "half" } as RequestInit)),
		});
		return {
			request: nameOf(request),
			isHead: method === "HEAD",
			status: response.status,
			header: (name) => response.headers.get(name),
			body: await response.text(),
		};
	} catch (error) {
		signal?.throwIfAborted();
		throw withoutAnswer(request, error);
	}
}

function counted(body: Blob, onSent = (_: number) => {}, signal?: AbortSignal): ReadableStream<Uint8Array> {
	let sent = 0;
	const count = new TransformStream<Uint8Array, Uint8Array>({
		transform(bytes, controller) {
			controller.enqueue(bytes);
			sent += bytes.length;
			onSent(sent);
		},
	});
	return body.stream().pipeThrough(count, signal && { signal });
}

import { Agent, type ClientRequest, type IncomingHttpHeaders, request as startRequest } from "node:http";

export type Sent = {
	method?: string;
	path: string;
	headers?: Record<string, string>;
	body?: string | Uint8Array;
	json?: unknown;
};
export type Answer = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; text: string; json: unknown };

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** Sends one request on a connection of its own, its path as it stands, and reads the answer. */
export function send(url: string, { method = "GET", path, headers = {}, body, json }: Sent): Promise<Answer> {
	const bytes = json === undefined ? body : JSON.stringify(json);
	const length: Record<string, string> =
		bytes === undefined || "transfer-encoding" in headers ? {} : { "content-length": String(Buffer.byteLength(bytes)) };
	const request = open(url, {
		method,
		path,
		headers: { ...(json !== undefined && { "content-type": "application/json" }), ...length, ...headers },
	});
	const answer = answerOf(request);
	request.end(bytes);
	return answer;
}

/** Starts a request whose body the caller writes. */
export function open(
	url: string,
	{ method, path, headers }: { method: string; path: string; headers: Record<string, string> },
): ClientRequest {
	const { hostname, port, pathname } = new URL(url);
	const whole = pathname === "/" ? path : `${pathname}${path}`;
	return startRequest({ hostname, port, method, path: whole, headers, agent: new Agent({ keepAlive: false }) });
}

export function answerOf(request: ClientRequest): Promise<Answer> {
	return new Promise((resolve, reject) => {
		request.on("error", reject);
		request.on("response", async (response) => {
			try {
				const parts: Buffer[] = [];
				for await (const part of response) parts.push(part as Buffer);
				const bytes = Buffer.concat(parts);
				const text = bytes.toString();
				const { "content-type": type, "content-encoding": coding } = response.headers;
				const isJson = type?.startsWith("application/json") === true && coding === undefined && text !== "";
				resolve({
					status: response.statusCode ?? 0,
					headers: response.headers,
					bytes,
					text,
					json: isJson ? JSON.parse(text) : undefined,
				});
			} catch (error) {
				reject(error);
			}
		});
	});
}

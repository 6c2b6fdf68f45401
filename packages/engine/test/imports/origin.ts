import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A server of files, which answers each path as a test says, and notes what it was asked. */
export type Origin = {
	readonly url: string;
	readonly asked: { readonly path: string; readonly headers: IncomingMessage["headers"] }[];
	/** Answers this path so from now on, and returns its address. */
	serve(path: string, answer: Answer): string;
	close(): Promise<void>;
};

export async function openOrigin(host = "127.0.0.1"): Promise<Origin> {
	const answers = new Map<string, Answer>();
	const asked: Origin["asked"] = [];
	const server = createServer((request, response) => {
		const path = new URL(request.url ?? "/", "http://origin").pathname;
		asked.push({ path: request.url ?? "/", headers: request.headers });
		response.on("error", () => undefined);
		const answer = answers.get(path);
		if (answer === undefined) response.writeHead(404).end();
		else answer(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, host, resolve));
	const url = `http://${host}:${(server.address() as AddressInfo).port}`;
	return {
		url,
		asked,
		serve(path, answer) {
			answers.set(path, answer);
			return url + path;
		},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

type FileOptions = {
	readonly type?: string | null;
	readonly etag?: string | null;
	/** Whether ranges are understood (default: true). */
	readonly ranges?: boolean;
	/** Whether the size is told (default: true). */
	readonly sized?: boolean;
	/** Where the connection breaks in the answer of each request, counted from 0 (default: nowhere). */
	readonly cutAfter?: (request: number) => number | undefined;
};

/** Answers as a web server does for a file. */
export function file(bytes: Uint8Array, options: FileOptions = {}): Answer {
	const { type = "video/mp4", etag = '"one"', ranges = true, sized = true, cutAfter } = options;
	let count = 0;
	return (request, response) => {
		const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? Number.NaN);
		const condition = request.headers["if-range"];
		const isPart = ranges && Number.isInteger(from) && (condition === undefined || condition === etag);
		const start = isPart ? from : 0;
		if (isPart && start >= bytes.length) {
			response.writeHead(416, { "content-range": `bytes */${bytes.length}` }).end();
			return;
		}
		const body = bytes.subarray(start);
		const cut = cutAfter?.(count++);
		response.writeHead(isPart ? 206 : 200, {
			...(type !== null && { "content-type": type }),
			...(etag !== null && { etag }),
			...(sized && { "content-length": body.length }),
			...(isPart && { "content-range": `bytes ${start}-${bytes.length - 1}/${sized ? bytes.length : "*"}` }),
		});
		if (cut === undefined) response.end(body);
		else response.write(body.subarray(0, cut), () => setImmediate(() => response.destroy()));
	};
}

/** Bytes that begin as an MP4 does, and differ from each other. */
export function clipOf(length: number, seed = 1): Buffer {
	const bytes = Buffer.alloc(length);
	for (let at = 0; at < length; at++) bytes[at] = (at * 31 + (at >> 8) * seed) & 255;
	bytes.set(Buffer.from("00000018667479706d703432", "hex"));
	return bytes;
}

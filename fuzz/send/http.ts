import { Agent, request as open } from "node:http";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { WrittenRequest } from "../world/resolve.ts";
import type { Answer, NoAnswer } from "./answer.ts";

export type Target = { readonly host: string; readonly port: number; readonly operationsPort: number };
export type HttpSender = {
	/**
	 * Sends a request from the client's address `from`. Resolves with the failure `UNSENDABLE` if Node's client refuses
	 * to write it.
	 */
	send(written: WrittenRequest, from: string | undefined, patienceMilliseconds?: number): Promise<Answer | NoAnswer>;
	close(): void;
};

/** Every request is answered within this time, except a claim, which says itself how long it waits. */
export const patience = 10_000;
const idleMilliseconds = 2000;

/** Creates a sender of well-formed HTTP on connections that are kept for a while. */
export function createHttpSender(target: Target, hangMilliseconds = patience): HttpSender {
	const agent = new Agent({ keepAlive: true, timeout: idleMilliseconds });
	const sendOnce = (
		written: WrittenRequest,
		from: string | undefined,
		milliseconds: number,
		isAgain: boolean,
	): Promise<Answer | NoAnswer> =>
		new Promise((resolve) => {
			const { method, path, port, headers, body, chunked } = written;
			const length: Record<string, string> =
				body === null ? {} : chunked ? { "transfer-encoding": "chunked" } : { "content-length": String(body.length) };
			const options = {
				host: target.host,
				port: port === "operations" ? target.operationsPort : target.port,
				method,
				path,
				headers: { ...length, ...(headers as Record<string, string | string[]>) },
				...(from !== undefined && { localAddress: from }),
				...(isAgain ? { agent: false as const } : { agent }),
			};
			try {
				const request = open(options);
				const timer = setTimeout(() => {
					resolve({ failure: "HUNG" });
					request.destroy();
				}, milliseconds);
				const end = (outcome: Answer | NoAnswer) => {
					clearTimeout(timer);
					resolve(outcome);
				};
				request.on("error", (error: NodeJS.ErrnoException) => {
					// The server ended the connection just when it was used again, so it never read the request.
					if (request.reusedSocket && error.code === "ECONNRESET" && !isAgain) {
						clearTimeout(timer);
						void sendOnce(written, from, milliseconds, true).then(resolve);
					} else end({ failure: error.code ?? error.message });
				});
				request.on("response", (response) => {
					const chunks: Buffer[] = [];
					response.on("data", (chunk: Buffer) => chunks.push(chunk));
					response.on("error", (error: NodeJS.ErrnoException) => end({ failure: error.code ?? error.message }));
					response.on("end", () =>
						end({
							status: response.statusCode ?? 0,
							headers: headersOf(response.rawHeaders),
							body: decoded(Buffer.concat(chunks), response.headers["content-encoding"]),
						}),
					);
				});
				if (body !== null && chunked) request.write(body);
				request.end(chunked ? undefined : (body ?? undefined));
			} catch {
				resolve({ failure: "UNSENDABLE" });
			}
		});
	return {
		send: (written, from, milliseconds = hangMilliseconds) => sendOnce(written, from, milliseconds, false),
		close: () => agent.destroy(),
	};
}

/** Returns the unpacked bytes. Bytes that can't be unpacked stay as they are, and are then no JSON. */
function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
	const unpack =
		encoding === "gzip"
			? gunzipSync
			: encoding === "br"
				? brotliDecompressSync
				: encoding === "zstd"
					? zstdDecompressSync
					: undefined;
	try {
		return unpack === undefined || bytes.length === 0 ? bytes : unpack(bytes);
	} catch {
		return bytes;
	}
}

function headersOf(raw: readonly string[]): Map<string, string> {
	const headers = new Map<string, string>();
	for (let at = 0; at < raw.length; at += 2) headers.set((raw[at] ?? "").toLowerCase(), raw[at + 1] ?? "");
	return headers;
}

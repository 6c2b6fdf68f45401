import { ReelmillError } from "@reelmill/contracts";
import type { ByteRange, ServedBytes } from "@reelmill/engine";
import { parseRange } from "../headers/range.ts";
import type { Exchange } from "./exchange.ts";
import type { SendBytes } from "./send-bytes.ts";

export type RangedFile = {
	readonly size: number;
	readonly contentType: string;
	read(range?: ByteRange): Promise<ServedBytes>;
};
/** The Range header, undefined if there is none or it must be ignored, and further headers of the answer. */
export type RangedAnswer = { readonly range: string | undefined; readonly headers: Readonly<Record<string, string>> };

/**
 * Sends a file, or the one range of it that the client asks for. HEAD gets the headers of the whole file. Errors of
 * `read` are passed on before anything is sent.
 *
 * @throws {ReelmillError} `bad_request` with status 416 and Content-Range when the range lies outside the file.
 */
export async function sendRanged(
	exchange: Exchange,
	file: RangedFile,
	{ range: header, headers }: RangedAnswer,
	sendBytes: SendBytes,
): Promise<void> {
	const { request, response } = exchange;
	const isHead = request.method === "HEAD";
	const range = isHead || header === undefined ? null : parseRange(header, file.size);
	if (range === "unsatisfiable") {
		for (const name in headers) response.setHeader(name, headers[name] as string);
		response.setHeader("content-range", `bytes */${file.size}`);
		throw new ReelmillError("bad_request", {
			status: 416,
			message: `The range lies outside the file, which has ${file.size} bytes.`,
		});
	}
	const bytes = isHead ? null : await file.read(range ?? undefined);
	const sent: Record<string, string | number> = {
		...headers,
		"x-request-id": exchange.requestId,
		"content-type": file.contentType,
		"accept-ranges": "bytes",
		"content-length": range ? range.end - range.start + 1 : file.size,
	};
	if (range) sent["content-range"] = `bytes ${range.start}-${range.end}/${file.size}`;
	response.writeHead(range ? 206 : 200, sent);
	if (bytes === null) response.end();
	else await sendBytes(exchange, bytes);
}

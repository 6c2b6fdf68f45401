import { ReelmillError } from "@reelmill/contracts";
import type { ByteRange, ServedBytes } from "@reelmill/engine";
import { parseRange } from "../headers/range.ts";
import type { Exchange } from "./exchange.ts";
import type { SendBytes } from "./send-bytes.ts";

export type RangedFile = {
	readonly size: number;
	readonly contentType: string;
	read(range?: ByteRange): Promise<ServedBytes>;
	/** Returns what `read` would resolve to if that is at hand. */
	peek?(range?: ByteRange): ServedBytes | undefined;
};
/** The Range header, undefined if there is none or it must be ignored, and further headers of the answer. */
export type RangedAnswer = { readonly range: string | undefined; readonly headers: Readonly<Record<string, string>> };

/**
 * Sends a file, or the one range of it that the client asks for. HEAD gets the headers of the whole file. Errors of
 * `read` are passed on before anything is sent. Returns undefined if the whole answer was handed over at once.
 *
 * @throws {ReelmillError} `bad_request` with status 416 and Content-Range when the range lies outside the file.
 */
export function sendRanged(
	exchange: Exchange,
	file: RangedFile,
	{ range: header, headers }: RangedAnswer,
	sendBytes: SendBytes,
): Promise<void> | undefined {
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
	const send = (bytes: ServedBytes | null): Promise<void> | undefined => {
		// A list of names and values costs Node less than an object.
		const sent = ["x-request-id", exchange.requestId, "content-type", file.contentType, "accept-ranges", "bytes"];
		for (const name in headers) sent.push(name, headers[name] as string);
		sent.push("content-length", String(range ? range.end - range.start + 1 : file.size));
		if (range) sent.push("content-range", `bytes ${range.start}-${range.end}/${file.size}`);
		response.writeHead(range ? 206 : 200, sent);
		if (bytes !== null) return sendBytes(exchange, bytes);
		response.end();
		return undefined;
	};
	if (isHead) return send(null);
	const kept = file.peek?.(range ?? undefined);
	return kept === undefined ? file.read(range ?? undefined).then(send) : send(kept);
}

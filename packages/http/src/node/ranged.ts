import { ReelmillError } from "@reelmill/contracts";
import type { ByteRange, DeliveredBytes } from "@reelmill/engine";
import { parseRange } from "../delivery/range.ts";
import type { Exchange } from "./exchange.ts";
import { sendBytes } from "./respond.ts";

export type RangedFile = { readonly size: number; readonly contentType: string; read(range?: ByteRange): Promise<DeliveredBytes> };

/**
 * Sends a file, or the one range of it that `rangeHeader` asks for. HEAD gets the headers of the whole.
 * Throws `bad_request` with status 416 and Content-Range for a range outside the file, and what `read` throws, before anything is sent.
 */
export async function sendRanged(exchange: Exchange, file: RangedFile, rangeHeader: string | undefined, idleMilliseconds: number): Promise<void> {
	const { request, response } = exchange;
	const isHead = request.method === "HEAD";
	const range = isHead ? null : parseRange(rangeHeader, file.size);
	if (range === "unsatisfiable") {
		response.setHeader("content-range", `bytes */${file.size}`);
		throw new ReelmillError("bad_request", { status: 416, message: `The range lies outside the file, which has ${file.size} bytes.` });
	}
	const bytes = isHead ? null : await file.read(range ?? undefined);
	response.setHeader("content-type", file.contentType);
	response.setHeader("accept-ranges", "bytes");
	response.setHeader("content-length", range ? range.end - range.start + 1 : file.size);
	if (range) response.setHeader("content-range", `bytes ${range.start}-${range.end}/${file.size}`);
	response.writeHead(range ? 206 : 200);
	if (bytes === null) response.end();
	else await sendBytes(exchange, bytes, idleMilliseconds);
}

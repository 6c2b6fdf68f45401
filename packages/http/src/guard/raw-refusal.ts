import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { ReelmillError } from "@reelmill/contracts";
import { anyOriginHeaders } from "../headers/any-origin.ts";
import type { PlaneName } from "../plane.ts";
import { problemOf } from "../problem.ts";

const late = "The request's head didn't come in time.";
const statuses: Readonly<Record<string, readonly [status: number, message: string]>> = {
	HPE_HEADER_OVERFLOW: [431, "The request's head is too large."],
	HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The body's chunks have extensions that are too large."],
	ERR_HTTP_REQUEST_TIMEOUT: [408, late],
};

/**
 * The error for what Node's parser says of a request, or null where it isn't the parser that says it, but a connection
 * that broke.
 */
export function refusalOfParser(code: string | undefined): ReelmillError | null {
	const [status, message] = statuses[code ?? ""] ?? [400, "The request is not well-formed HTTP."];
	const isOfParser = code !== undefined && (code in statuses || code.startsWith("HPE_"));
	return isOfParser ? new ReelmillError("bad_request", { status, message }) : null;
}

/** The error for a head that didn't come whole in time. */
export const tooLate = () => new ReelmillError("bad_request", { status: 408, message: late });

export type RawRefusal = {
	readonly error: ReelmillError;
	readonly requestId: string;
	/** Whose request it was; null where the head didn't parse, and with it the path. */
	readonly plane: PlaneName | null;
	/** Whether the request was HEAD, as far as that can be told: then the answer has no body. */
	readonly isHead: boolean;
	/** Milliseconds since the epoch. */
	readonly now: number;
};

/** A client whose request can't be read may still be sending it: so long it has to read the answer. */
const lingerMilliseconds = 1000;

/**
 * Writes an answer past Node's response, which there is none of, and ends the connection. It has what every answer has:
 * the contract's body and headers, and the request's id. Where the path isn't known any origin may read it, for it says
 * nothing but that the request makes no sense.
 */
export function refuseRaw(socket: Socket, { error, requestId, plane, isHead, now }: RawRefusal): void {
	const { status, headers, body } = problemOf(error, now);
	const text = JSON.stringify(body);
	const all = {
		date: new Date(now).toUTCString(),
		...anyOriginHeaders(plane),
		...headers,
		"x-request-id": requestId,
		"content-length": Buffer.byteLength(text),
		connection: "close",
	};
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
	socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${isHead ? "" : text}`);
	const cut = setTimeout(() => socket.destroy(), lingerMilliseconds);
	socket.once("close", () => clearTimeout(cut));
}

import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { ReelmillError } from "@reelmill/contracts";
import { anyOriginHeaders } from "../headers/any-origin.ts";
import type { PlaneName } from "../plane-name.ts";
import { problemOf } from "../problem.ts";

const late = "The request's head didn't come in time.";
const statuses: Readonly<Record<string, readonly [status: number, message: string]>> = {
	HPE_HEADER_OVERFLOW: [431, "The request's head is too large."],
	HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The body's chunks have extensions that are too large."],
	ERR_HTTP_REQUEST_TIMEOUT: [408, late],
};

/**
 * Returns the error to answer when Node's parser refuses a request with `code`; `null` if the code is not the parser's,
 * but that of a broken connection.
 */
export function refusalOfParser(code: string | undefined): ReelmillError | null {
	const [status, message] = statuses[code ?? ""] ?? [400, "The request is not well-formed HTTP."];
	const isOfParser = code !== undefined && (code in statuses || code.startsWith("HPE_"));
	return isOfParser ? new ReelmillError("bad_request", { status, message }) : null;
}

/** Returns the error for a head that did not arrive in time. */
export const tooLate = () => new ReelmillError("bad_request", { status: 408, message: late });

export type RawRefusal = {
	readonly error: ReelmillError;
	readonly requestId: string;
	/** The plane of the request; `null` if the head could not be parsed, so that the path is unknown. */
	readonly plane: PlaneName | null;
	/** Whether the request is known to be HEAD. The answer has no body then. */
	readonly isHead: boolean;
	/** Milliseconds since the epoch. */
	readonly now: number;
};

/** How long a client that may still be sending has to read the answer before the connection is closed. */
const lingerMilliseconds = 1000;

/**
 * Writes an answer straight to the socket, because Node has no response for such a request, and ends the connection.
 * The answer has what every answer has: the contract's body and headers, and the request's id. If the path is unknown,
 * any origin may read the answer, because it only says that the request is malformed.
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

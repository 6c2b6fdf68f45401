import { isUtf8 } from "node:buffer";
import { limits, ReelmillError } from "@reelmill/contracts";
import { mediaTypeOf } from "../headers/media-type.ts";
import { BodyInterrupted } from "../node/body.ts";
import { refuseUnstorable } from "./refuse-unstorable.ts";
import type { JsonRequest } from "./request.ts";

/**
 * How many times the limit is read of a body that is too large, so that the sender of a body without a length comes to
 * its end and reads the answer.
 */
const patience = 16;

export type BodyRules = {
	/** Whether a missing or empty body counts as `{}` (default: false). */
	readonly optional?: boolean | undefined;
	/** Media types besides `application/json` (default: none). */
	readonly alsoMediaTypes?: readonly string[] | undefined;
};

/**
 * Reads the request's JSON body.
 *
 * @throws {ReelmillError} `bad_request` when the content type is wrong, or when the JSON or UTF-8 is malformed; with
 * status 413 when there are more than 64 KiB; with status 408 when the body stops arriving. `validation_error` when a
 * text can't be stored.
 */
export async function readJsonBody(
	request: JsonRequest,
	{ optional = false, alsoMediaTypes = [] }: BodyRules = {},
): Promise<unknown> {
	if (optional && !request.hasBody) return {};
	const types = ["application/json", ...alsoMediaTypes];
	if (!optional) checkType(request, types);
	const bytes = await readBytes(request, limits.jsonBodyBytes);
	if (optional && bytes.byteLength === 0) return {};
	checkType(request, types);
	let text: string;
	let value: unknown;
	try {
		text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		value = JSON.parse(text);
	} catch (error) {
		throw new ReelmillError("bad_request", { message: "The body is not well-formed JSON.", cause: error });
	}
	// What can't be stored is written by an escape alone; what schemas pass over, by an escape or by its name.
	if (text.includes("\\u") || text.includes("__proto__")) refuseUnstorable(value);
	return value;
}

/**
 * Reads the request's body as a text in UTF-8, without a byte order mark.
 *
 * @throws {ReelmillError} `bad_request` as `readJsonBody`; `validation_error` for a text that isn't UTF-8, with the line.
 */
export async function readTextBody(
	request: JsonRequest,
	{ mediaTypes, mostBytes }: { readonly mediaTypes: readonly string[]; readonly mostBytes: number },
): Promise<string> {
	checkType(request, mediaTypes);
	const bytes = await readBytes(request, mostBytes);
	if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
	throw new ReelmillError("validation_error", { message: `Line ${lineOfFault(bytes)} is not UTF-8.` });
}

/**
 * Reads the request's body as a file, or as JSON if its media type says so. Returns the bytes, or the JSON's value.
 *
 * @throws {ReelmillError} `bad_request` as `readJsonBody`; with status 413 when a file has more than `mostBytes`.
 */
export async function readFileBody(
	request: JsonRequest,
	{ mediaTypes, mostBytes }: { readonly mediaTypes: readonly string[]; readonly mostBytes: number },
): Promise<{ readonly json: unknown } | { readonly file: Uint8Array }> {
	checkType(request, ["application/json", ...mediaTypes]);
	return mediaTypeOf(request.header("content-type")) === "application/json"
		? { json: await readJsonBody(request) }
		: { file: await readBytes(request, mostBytes) };
}

/** Returns the number of the first line that isn't UTF-8. A line break is no part of another character. */
function lineOfFault(bytes: Uint8Array): number {
	let line = 1;
	for (let at = 0; at < bytes.length; line += 1) {
		const end = bytes.indexOf(10, at);
		const next = end < 0 ? bytes.length : end + 1;
		if (!isUtf8(bytes.subarray(at, next))) return line;
		at = next;
	}
	return line;
}

function checkType(request: JsonRequest, types: readonly string[]): void {
	if (types.includes(mediaTypeOf(request.header("content-type")) ?? "")) return;
	throw new ReelmillError("bad_request", { message: `The content type must be ${types.join(" or ")}.` });
}

async function readBytes(request: JsonRequest, most: number): Promise<Uint8Array> {
	if (Number(request.header("content-length") ?? 0) > most) throw tooLarge(most);
	const chunks: Uint8Array[] = [];
	let size = 0;
	try {
		for await (const chunk of request.body()) {
			size += chunk.byteLength;
			if (size <= most) chunks.push(chunk);
			else if (size > patience * most) break;
		}
	} catch (error) {
		if (!(error instanceof BodyInterrupted)) throw error;
		throw new ReelmillError("bad_request", { status: 408, message: error.message, cause: error });
	}
	if (size > most) throw tooLarge(most);
	return Buffer.concat(chunks);
}

const tooLarge = (most: number) =>
	new ReelmillError("bad_request", { status: 413, message: `The body may have at most ${most} bytes.` });

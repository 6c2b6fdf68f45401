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
	const checkType = () => {
		if (types.includes(mediaTypeOf(request.header("content-type")) ?? "")) return;
		throw new ReelmillError("bad_request", { message: `The content type must be ${types.join(" or ")}.` });
	};
	if (!optional) checkType();
	if (Number(request.header("content-length") ?? 0) > limits.jsonBodyBytes) throw tooLarge();
	const bytes = await readBytes(request);
	if (optional && bytes.byteLength === 0) return {};
	checkType();
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

async function readBytes(request: JsonRequest): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	try {
		for await (const chunk of request.body()) {
			size += chunk.byteLength;
			if (size <= limits.jsonBodyBytes) chunks.push(chunk);
			else if (size > patience * limits.jsonBodyBytes) break;
		}
	} catch (error) {
		if (!(error instanceof BodyInterrupted)) throw error;
		throw new ReelmillError("bad_request", { status: 408, message: error.message, cause: error });
	}
	if (size > limits.jsonBodyBytes) throw tooLarge();
	return Buffer.concat(chunks);
}

const tooLarge = () =>
	new ReelmillError("bad_request", { status: 413, message: `A JSON body has at most ${limits.jsonBodyBytes} bytes.` });

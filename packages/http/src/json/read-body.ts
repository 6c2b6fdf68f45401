import { limits, ReelmillError } from "@reelmill/contracts";
import { mediaTypeOf } from "../headers/media-type.ts";
import { BodyInterrupted } from "../node/body.ts";
import type { JsonRequest } from "./request.ts";

const nul = "\u0000";
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
 * @throws {ReelmillError} `bad_request` when the content type is wrong, when the JSON or UTF-8 is malformed, or when a
 * text holds NUL or half a surrogate pair, which no text column stores; with status 413 when there are more than 64
 * KiB; with status 408 when the body stops arriving.
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
	try {
		return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes), (key, value: unknown) => {
			if (!isStorable(key) || (typeof value === "string" && !isStorable(value)))
				throw new SyntaxError("NUL or half a surrogate pair");
			return value;
		});
	} catch (error) {
		throw new ReelmillError("bad_request", { message: "The body is not well-formed JSON.", cause: error });
	}
}

const isStorable = (text: string): boolean => !text.includes(nul) && text.isWellFormed();

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

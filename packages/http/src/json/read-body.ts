import { limits, ReelmillError } from "@reelmill/contracts";
import { mediaTypeOf } from "../headers/media-type.ts";
import { BodyInterrupted } from "../node/body.ts";
import type { JsonRequest } from "./request.ts";

const nul = "\u0000";
/** A body that gives no length and is a little too large is read to its end, so that its sender can hear the answer. */
const patience = 16;

export type BodyRules = {
	/** No body, or an empty one, counts as `{}`. */
	readonly optional?: boolean | undefined;
	/** Media types beside `application/json`. */
	readonly alsoMediaTypes?: readonly string[] | undefined;
};

/**
 * The request's JSON body. Throws `bad_request`: for another content type, malformed JSON or UTF-8, text with NUL or
 * half a surrogate pair in it (which no text column holds), with status 413 above 64 KiB, and with status 408 when the
 * body stops coming.
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

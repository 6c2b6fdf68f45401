import { digest } from "./digest.ts";
import { parseSignatureHeader, signatureHeader } from "./header.ts";
import { WebhookVerificationError } from "./verification-error.ts";

/** What `verifySignature` needs: the raw body, the header and the secret. */
export type VerifyOptions = {
	/**
	 * The request's body, exactly as it arrived and before a JSON parser reads it. Bytes are safest, in any view of an
	 * ArrayBuffer; a string stands for its UTF-8 bytes. Nest and Firebase keep it as `request.rawBody`. undefined, where
	 * none was kept, is refused as `parsed_payload`.
	 */
	payload: string | ArrayBufferView | ArrayBuffer | undefined;
	/** The value of the `service-signature` header; `null` or `undefined` if the request has none. */
	header: string | null | undefined;
	/** The secret as it was shown, with its `whsec_`. It is not decoded. undefined is refused as `missing_secret`. */
	secret: string | undefined;
	/** How many seconds the header's timestamp may be away from now (default: 300). */
	toleranceSeconds?: number;
	/** Returns the Unix time in milliseconds (default: `Date.now`). */
	now?: () => number;
};

/**
 * Verifies that a delivery was signed with `secret` and that its timestamp is within the tolerance. One matching `v1`
 * is enough. Signatures are compared in constant time. Verifying the same delivery twice succeeds twice: deduplicate
 * on the delivery's id.
 * @throws {WebhookVerificationError} when the delivery must not be trusted; `reason` says why
 * @example
 * ```ts
 * import { signatureHeader, signWebhook, verifySignature } from "@reelmill/webhooks";
 *
 * const secret = "whsec_bm9ib2R5cyBzZWNyZXQ";
 * const body = JSON.stringify({ type: "video.ready" });
 * const header = await signWebhook({ payload: body, secrets: [secret], timestamp: Math.floor(Date.now() / 1000) });
 * const request = new Request("https://example.com/hook", {
 * 	method: "POST",
 * 	body,
 * 	headers: { [signatureHeader]: header },
 * });
 *
 * const payload = await request.text();
 * await verifySignature({ payload, header: request.headers.get(signatureHeader), secret });
 * console.log(JSON.parse(payload)); // => { type: 'video.ready' }
 * ```
 */
export async function verifySignature({
	payload,
	header,
	secret,
	toleranceSeconds = 300,
	now = Date.now,
}: VerifyOptions): Promise<void> {
	if (typeof secret !== "string" || secret === "") {
		throw new WebhookVerificationError(
			"missing_secret",
			isPromise(secret)
				? "The secret is a promise: is an await missing?"
				: "The secret is missing: is the setting that holds the domain's whsec_ secret (REELMILL_WEBHOOK_SECRET in the guides) empty?",
		);
	}
	const body = rawBytes(payload);
	if (typeof header !== "string" || header.trim() === "") {
		throw new WebhookVerificationError(
			"missing_header",
			isPromise(header)
				? "The headers are a promise: is an await missing?"
				: `The request has no ${signatureHeader} header. Does it come from Reelmill, and does your proxy keep the header?`,
		);
	}
	const { timestamp, signatures } = parseSignatureHeader(header);
	if (timestamp === undefined) {
		throw new WebhookVerificationError(
			"malformed_header",
			`The ${signatureHeader} header has no whole number as t; its form is t=<seconds>,v1=<hex>.`,
		);
	}
	if (signatures.length === 0) {
		throw new WebhookVerificationError(
			"malformed_header",
			`The ${signatureHeader} header has no v1 signature; its form is t=<seconds>,v1=<hex>.`,
		);
	}
	const expected = await digest(secret, timestamp, body);
	let matches = false;
	for (const signature of signatures) matches = equalInConstantTime(signature, expected) || matches;
	if (!matches)
		throw new WebhookVerificationError(
			"signature_mismatch",
			`No signature in the header matches the payload. ${likelyCause(secret, body)}`,
		);

	const distance = Math.abs(Math.floor(now() / 1000) - Number(timestamp));
	if (!(distance <= toleranceSeconds)) {
		throw new WebhookVerificationError(
			"timestamp_out_of_tolerance",
			`The signature is right, but its timestamp is ${distance} s away from this machine's clock (${toleranceSeconds} s are allowed). Either the clock is wrong, or an old delivery is being sent again by someone else.`,
		);
	}
}

function rawBytes(payload: unknown): string | Uint8Array {
	if (typeof payload === "string") return payload;
	if (ArrayBuffer.isView(payload)) return new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength);
	if (tagOf(payload) === "ArrayBuffer") return new Uint8Array(payload as ArrayBuffer);
	throw new WebhookVerificationError(
		"parsed_payload",
		`The payload must be the raw request body as a string or bytes, but it is ${described(payload)}`,
	);
}

/** The class of a value of any realm. */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice("[object ".length, -1);

const isPromise = (value: unknown): boolean => typeof (value as { then?: unknown } | null)?.then === "function";

/** Says what was given in the place of a raw body, and how to get the body. */
function described(payload: unknown): string {
	if (payload === undefined || payload === null)
		return `${payload}. In Nest, request.rawBody needs NestFactory.create(AppModule, { rawBody: true }).`;
	if (isPromise(payload)) return "a promise: is an await missing, as in await request.text()?";
	const { isBase64Encoded, headers } = payload as { isBase64Encoded?: unknown; headers?: unknown };
	if (isBase64Encoded !== undefined)
		return 'the whole event of AWS Lambda: pass Buffer.from(event.body, event.isBase64Encoded ? "base64" : "utf8").';
	if (headers !== undefined) return "the whole request: pass its body, such as await request.text().";
	if (tagOf(payload) === "ReadableStream") return "a stream: read it first, as await request.text() does.";
	return `a parsed value (${tagOf(payload)}). Take the body before a JSON parser does (Express: express.raw({ type: "application/json" }); Nest and Firebase: request.rawBody); serialising it again does not give the same bytes.`;
}

function likelyCause(secret: string, body: string | Uint8Array): string {
	if (secret !== secret.trim())
		return "The secret begins or ends with white space: was it read from a file with its newline?";
	if (!secret.startsWith("whsec_"))
		return "The secret does not begin with whsec_: pass it as it was shown, prefix included and not decoded. The domain's API key is not it.";
	const text = typeof body === "string" ? body : new TextDecoder().decode(body);
	if (text === "") return "The payload is empty: was the body read before?";
	if (text === "[object Object]")
		return "The payload is the text of a parsed object: take the body before a JSON parser does.";
	if (/^[\w+/-]+={0,2}$/.test(text))
		return 'The payload looks like base64. AWS Lambda\'s event says so in isBase64Encoded: pass Buffer.from(event.body, "base64").';
	return "Usual causes: the payload is not the raw body but was parsed and serialised again, or the secret is another domain's or was rotated more than an hour ago.";
}

/**
 * Compares without stopping at the first difference: the time tells nothing about the expected text but its length, and
 * every digest has the same length.
 */
function equalInConstantTime(given: string, expected: string): boolean {
	if (given.length !== expected.length) return false;
	let difference = 0;
	for (let index = 0; index < expected.length; index++)
		difference |= given.charCodeAt(index) ^ expected.charCodeAt(index);
	return difference === 0;
}

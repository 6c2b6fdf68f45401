import { digest } from "./digest.ts";
import { parseSignatureHeader, signatureHeader } from "./header.ts";
import { WebhookVerificationError } from "./verification-error.ts";

/** What `verifySignature` needs: the raw body, the header and the secret. */
export type VerifyOptions = {
	/**
	 * The request's body, exactly as it arrived and before a JSON parser reads it. Bytes are safest; a string stands for
	 * its UTF-8 bytes.
	 */
	payload: string | Uint8Array | ArrayBuffer;
	/** The value of the `service-signature` header; `null` or `undefined` if the request has none. */
	header: string | null | undefined;
	/** The secret as it was shown, with its `whsec_`. It is not decoded. */
	secret: string;
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
			"There is no secret to verify with: pass the domain's whsec_ secret. Is the setting that holds it empty?",
		);
	}
	const body = rawBytes(payload);
	if (typeof header !== "string" || header.trim() === "") {
		throw new WebhookVerificationError(
			"missing_header",
			`The request has no ${signatureHeader} header. Does it come from Reelmill, and does your proxy keep the header?`,
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
			`No signature in the header matches the payload. ${likelyCause(secret)}`,
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
	if (typeof payload === "string" || payload instanceof Uint8Array) return payload;
	if (Object.prototype.toString.call(payload) === "[object ArrayBuffer]") return new Uint8Array(payload as ArrayBuffer);
	throw new WebhookVerificationError(
		"parsed_payload",
		'The payload must be the raw request body as a string or bytes, but it is a parsed value. Take the body before a JSON parser does (Express: express.raw({ type: "application/json" })); serialising it again does not give the same bytes.',
	);
}

function likelyCause(secret: string): string {
	if (secret !== secret.trim())
		return "The secret begins or ends with white space: was it read from a file with its newline?";
	if (!secret.startsWith("whsec_"))
		return "The secret does not begin with whsec_: pass it as it was shown, prefix included and not decoded. The domain's API key is not it.";
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

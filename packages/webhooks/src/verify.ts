import { digest } from "./digest.ts";
import { parseSignatureHeader, signatureHeader } from "./header.ts";
import { WebhookVerificationError } from "./verification-error.ts";

export type VerifyOptions = {
	/**
	 * The request's body exactly as it came, before any JSON parsing. Bytes are safest; a string stands for its UTF-8
	 * bytes.
	 */
	payload: string | Uint8Array | ArrayBuffer;
	/** The value of the `service-signature` header; null or undefined where the request has none. */
	header: string | null | undefined;
	/** The `whsec_` secret as it was shown, prefix included. It is not decoded. */
	secret: string;
	/** Largest distance between the header's timestamp and now, in seconds; 300 unless told. */
	toleranceSeconds?: number;
	/** Unix time in milliseconds; `Date.now` unless told. */
	now?: () => number;
};

/**
 * Comes back if the delivery was signed with `secret` within the tolerance, whichever `v1` of the header says so.
 * Signatures are compared in constant time. A second verification of the same delivery passes too: deduplicate on the
 * delivery id.
 * @throws WebhookVerificationError with a `reason` otherwise
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

/** Takes as long for a wrong first character as for a wrong last one. The length of a digest is no secret. */
function equalInConstantTime(given: string, expected: string): boolean {
	if (given.length !== expected.length) return false;
	let difference = 0;
	for (let index = 0; index < expected.length; index++)
		difference |= given.charCodeAt(index) ^ expected.charCodeAt(index);
	return difference === 0;
}

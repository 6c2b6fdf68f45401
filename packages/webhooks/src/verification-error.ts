/**
 * Why a delivery was refused:
 * - `missing_secret`: no secret was given to verify with
 * - `parsed_payload`: the payload is not the raw body, but a parsed value, a promise, a whole request or nothing
 * - `missing_header`: the request has no signature header
 * - `malformed_header`: `t` is missing or no integer, or there is no `v1`
 * - `signature_mismatch`: no `v1` is the signature of this payload with this secret
 * - `timestamp_out_of_tolerance`: the signature is right, but too old or too far in the future
 */
export type VerificationFailure =
	| "missing_secret"
	| "parsed_payload"
	| "missing_header"
	| "malformed_header"
	| "signature_mismatch"
	| "timestamp_out_of_tolerance";

const brand = Symbol.for("reelmill.webhook-verification-error");

/**
 * The error for a delivery that must not be trusted: answer it with 400 and do nothing else. `reason` is for programs;
 * `message` names the usual mistake.
 * @example
 * ```ts
 * import { verifySignature, WebhookVerificationError } from "@reelmill/webhooks";
 *
 * try {
 * 	await verifySignature({ payload: "{}", header: null, secret: "whsec_bm9ib2R5cyBzZWNyZXQ" });
 * } catch (error) {
 * 	if (error instanceof WebhookVerificationError) console.log(error.reason); // => missing_header
 * }
 * ```
 */
export class WebhookVerificationError extends Error {
	override readonly name = "WebhookVerificationError";
	readonly reason: VerificationFailure;
	constructor(reason: VerificationFailure, message: string) {
		super(message);
		this.reason = reason;
		Object.defineProperty(this, brand, { value: true });
	}
	/** Lets `instanceof` recognise errors of another copy of this package. */
	static override [Symbol.hasInstance](value: unknown): boolean {
		return typeof value === "object" && value !== null && brand in value;
	}
}

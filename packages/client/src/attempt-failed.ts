import type { ReelmillError } from "@reelmill/contracts/errors";
import type { ConnectionError } from "./connection-error.ts";

/** A failure of an attempt, with the seconds that the answer asks to wait. */
export type Refusal = { readonly error: ReelmillError | ConnectionError; readonly retryAfterSeconds?: number };

/** Says that an attempt got an error answer, or none. Whatever else goes wrong is thrown as it is. */
export class AttemptFailed {
	readonly refusal: Refusal;
	constructor(refusal: Refusal) {
		this.refusal = refusal;
	}
}

import { countsGuesses, type Operation, ReelmillError } from "@reelmill/contracts";
import type { RateLimits } from "@reelmill/engine";

/**
 * Counts a failed authentication towards the limit of the client's address. Authentication calls it before it looks up
 * a credential that does not prove itself, and if there is no credential.
 *
 * @throws {ReelmillError} `rate_limited` when the address has used up its limit.
 */
export type Guess = () => Promise<void>;

/** Returns the guess for a request of this operation. It counts nothing on planes that do not limit guesses. */
export const createGuess = (rateLimits: RateLimits, operation: Operation, clientKey: string): Guess =>
	countsGuesses(operation) ? async () => rateLimits.take("failedAuthentication", clientKey) : async () => undefined;

/** Refuses every credential that does not prove itself. */
export const refuseGuess: Guess = async () => {
	throw new ReelmillError("unauthorized");
};

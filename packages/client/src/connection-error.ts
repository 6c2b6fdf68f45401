/**
 * The error of a call without an answer: the server could not be reached, the connection broke, or the timeout passed.
 * Whether the call had an effect is unknown.
 * @example
 * ```ts
 * import { ConnectionError, createClient } from "@reelmill/client";
 *
 * const client = createClient({ baseUrl: "http://127.0.0.1:9", retry: { limit: 0 } });
 * try {
 * 	await client.call("getHealth", {});
 * } catch (error) {
 * 	if (error instanceof ConnectionError) console.log(error.reason); // => unreachable
 * }
 * ```
 */
export class ConnectionError extends Error {
	override readonly name = "ConnectionError";
	readonly reason: "unreachable" | "timeout";
	constructor(reason: "unreachable" | "timeout", message: string, options: { cause: unknown }) {
		super(message, options);
		this.reason = reason;
	}
}

/**
 * No answer came: the server could not be reached, the connection broke, or it took longer than the timeout. Whether
 * the call had an effect is unknown.
 */
export class ConnectionError extends Error {
	override readonly name = "ConnectionError";
	readonly reason: "unreachable" | "timeout";
	constructor(reason: "unreachable" | "timeout", message: string, options: { cause: unknown }) {
		super(message, options);
		this.reason = reason;
	}
}

import { type Operation, ReelmillError, takesSession } from "@reelmill/contracts";
import type { Credentials } from "./credentials.ts";

/**
 * Refuses a request that another site may have made a person's browser send: one that changes something by the
 * session's cookie, or signs in, without the header that only the console sends.
 *
 * @throws {ReelmillError} `csrf_check_failed`.
 */
export function refuseForgery(operation: Operation, { session, isFromConsole }: Credentials): void {
	const signsIn = operation.plane === "console" && operation.auth === "none";
	const isByCookie = session !== null && takesSession(operation);
	if (operation.method !== "GET" && !isFromConsole && (isByCookie || signsIn))
		throw new ReelmillError("csrf_check_failed");
}

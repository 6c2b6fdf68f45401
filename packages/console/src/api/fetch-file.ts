import { errorFromAnswer } from "@reelmill/client";

/**
 * Fetches a file that an operation of the tenant plane answers, with the session. Its type is the one that the server
 * says.
 *
 * @throws {ReelmillError} what the server refuses it with.
 */
export async function fetchFile(path: string, domainId: string | null, signal: AbortSignal): Promise<Blob> {
	const headers: Record<string, string> = domainId === null ? {} : { "x-service-domain": domainId };
	const response = await fetch(path, { headers, signal, credentials: "same-origin" });
	if (response.ok) return response.blob();
	const requestId = response.headers.get("x-request-id");
	throw errorFromAnswer({ status: response.status, body: await response.text(), requestId });
}

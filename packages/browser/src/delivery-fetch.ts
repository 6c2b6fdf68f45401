import { errorFromAnswer } from "@reelmill/client";
import type { DeliveryAccess } from "./delivery-access.ts";

/**
 * Fetches a whole file of the delivery plane, with the key if it needs one. After a 401 it tries once more with a new
 * key.
 * @throws {ReelmillError} when the answer is an error
 * @throws {TypeError} when no answer came
 * @throws {PlayerError} when the page could not get a key
 * @throws the signal's reason when the fetch was aborted
 */
export async function fetchDelivered(url: string, access: DeliveryAccess, signal: AbortSignal): Promise<Blob> {
	for (let tries = 1; ; tries++) {
		const authorization = await access.authorization(url);
		const response = await fetch(url, { signal, ...(authorization ? { headers: { authorization } } : {}) });
		if (response.ok) return await response.blob();
		if (response.status === 401 && tries === 1 && access.refused(url, authorization)) continue;
		throw errorFromAnswer({
			status: response.status,
			body: await response.text(),
			requestId: response.headers.get("x-request-id"),
		});
	}
}

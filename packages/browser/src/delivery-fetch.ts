import { errorFromAnswer } from "@reelmill/client";
import type { DeliveryAccess } from "./delivery-access.ts";

/**
 * Fetches a file of the delivery plane whole, with the key where one belongs and once more with a new key after a 401.
 * @throws ReelmillError for an error answer, TypeError when none came, PlayerError when no key could be had, the
 * signal's reason when aborted
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

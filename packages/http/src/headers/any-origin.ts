import { deliveryHeaders } from "@reelmill/contracts";
import { EXPOSED_HEADERS } from "@tus/utils";
import type { PlaneName } from "../plane-name.ts";

const exposedByDelivery =
	"Content-Range, Content-Length, Accept-Ranges, ETag, X-Request-Id, Retry-After, WWW-Authenticate";
/** The headers of an answer of the upload plane that a page may read. */
export const exposedByUploads = `${EXPOSED_HEADERS}, Upload-Expires, Upload-Complete, Upload-End, Retry-After, X-Request-Id, WWW-Authenticate`;
const toAny = (exposed: string) => ({ "access-control-allow-origin": "*", "access-control-expose-headers": exposed });

/** The headers of an answer of the delivery plane that any origin may read. */
export const openDelivery = { ...toAny(exposedByDelivery), ...deliveryHeaders } as const;
const openUploads = toAny(exposedByUploads);

/**
 * Returns the CORS headers for an answer that tells nothing about anybody's data. `plane` is `null` if it is unknown.
 */
export function anyOriginHeaders(plane: PlaneName | null): Readonly<Record<string, string>> {
	if (plane === "upload") return openUploads;
	return plane === "delivery" || plane === null ? openDelivery : {};
}

import { ReelmillError } from "@reelmill/contracts";
import type { ObjectStorage } from "../../ports/index.ts";

/**
 * Returns the same outputs, to be read through the service.
 *
 * @throws {ReelmillError} `storage_backend_unsupported` when they can't be.
 */
export function readable(outputs: ObjectStorage): ObjectStorage {
	if (!outputs.capabilities.download) throw new ReelmillError("storage_backend_unsupported");
	return outputs;
}

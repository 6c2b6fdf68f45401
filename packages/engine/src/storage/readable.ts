import { ReelmillError } from "@reelmill/contracts";
import type { ObjectStorage } from "../ports/index.ts";

/** The same outputs, to be read through the service. Throws `storage_backend_unsupported` where they can't be. */
export function readable(outputs: ObjectStorage): ObjectStorage {
	if (!outputs.capabilities.download) throw new ReelmillError("storage_backend_unsupported");
	return outputs;
}

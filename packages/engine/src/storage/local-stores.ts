import { ReelmillError } from "@reelmill/contracts";
import { type ByteStores, isStorageError, type Logger } from "../ports/index.ts";

/** The installation's own stores, whose refusal to take bytes is `storage_unavailable` to whoever sent them, and told to the operator. Reads go straight to them. */
export function createLocalStores({ uploads, outputs }: ByteStores, logger: Logger): ByteStores {
	const refused = (error: unknown): never => {
		if (!isStorageError(error)) throw error;
		logger.error({ reason: error.message }, "the local storage fails");
		throw new ReelmillError("storage_unavailable", { cause: error });
	};
	return {
		outputs: {
			capabilities: outputs.capabilities,
			put: (key, bytes, options) => outputs.put(key, bytes, options).catch(refused),
			get: (key, range) => outputs.get(key, range),
			...(outputs.open && { open: (key: string) => outputs.open?.(key) ?? Promise.resolve(null) }),
			head: (key) => outputs.head(key),
			delete: (key) => outputs.delete(key),
			list: (prefix) => outputs.list(prefix),
			...(outputs.survey && { survey: outputs.survey.bind(outputs) }),
			presign: (key, request) => outputs.presign(key, request),
			deletePrefix: (prefix) => outputs.deletePrefix(prefix),
		},
		uploads: {
			capabilities: uploads.capabilities,
			create: (id) => uploads.create(id).catch(refused),
			size: (id) => uploads.size(id),
			append: (id, offset, bytes, options) => uploads.append(id, offset, bytes, options).catch(refused),
			read: (id, range) => uploads.read(id, range),
			presign: (id, request) => uploads.presign(id, request),
			discard: (id) => uploads.discard(id),
			list: () => uploads.list(),
			...(uploads.survey && { survey: uploads.survey.bind(uploads) }),
		},
	};
}

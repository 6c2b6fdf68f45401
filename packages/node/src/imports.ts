import type { CallInput, CallOptions, Client } from "@reelmill/client";
import type { Import, ImportStatus } from "@reelmill/contracts";
import { callOf, type Listed, listed, pageQuery } from "./pages.ts";

/** Videos that the service fetches from addresses. */
export type Imports = Listed<Import, { status?: ImportStatus | undefined }> & {
	/**
	 * Asks for a video to be fetched from an address, and returns the import before the origin is asked. It is retried as
	 * safely as `videos.create`. Read how far it is by `get`; when it is done, `video_id` names the video.
	 */
	create(input: CallInput<"createImport">["body"], options?: CallOptions): Promise<Import>;
	/**
	 * Returns the import with an id.
	 * @throws {ReelmillError} `import_not_found` when there is none
	 */
	get(id: string, options?: CallOptions): Promise<Import>;
	/**
	 * Ends an import, and cancels the video that waits for it. One that has ended stays as it is.
	 * @throws {ReelmillError} `import_not_found` when there is none
	 */
	cancel(id: string, options?: CallOptions): Promise<void>;
};

export const createImports = (client: Client): Imports => ({
	...listed((options = {}) =>
		client.call(
			"listImports",
			{ query: { ...pageQuery(options), ...(options.status && { status: options.status }) } },
			callOf(options),
		),
	),
	create: (body, options) => client.call("createImport", { body }, options),
	get: (id, options) => client.call("getImport", { params: { id } }, options),
	cancel: async (id, options) => void (await client.call("cancelImport", { params: { id } }, options)),
});

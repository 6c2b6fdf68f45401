import type { CallOptions, Client } from "@reelmill/client";
import type { Erasure } from "@reelmill/contracts";

/** Persons whose videos and names are to go. */
export type Erasures = {
	/**
	 * Deletes the videos of an `uploader_ref`, and forgets `uploader_ref` and `external_ref` of all of them at once. Many
	 * videos take minutes. A second call erases what was uploaded since.
	 */
	create(uploaderRef: string, options?: CallOptions): Promise<Erasure>;
};

export const createErasures = (client: Client): Erasures => ({
	create: (uploader_ref, options) => client.call("createErasure", { body: { uploader_ref } }, options),
});

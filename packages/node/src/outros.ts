import type { CallInput, CallOptions, Client } from "@reelmill/client";
import type { CreatedOutro, Outro } from "@reelmill/contracts";
import { type OutroUploadInput, type UploadOptions, uploadOutro } from "./upload.ts";
import type { UploadSource } from "./upload-source.ts";
import { type WaitOptions, waitForOutro } from "./wait.ts";

/** Calls on outros. A service without outros answers `not_found` to all of them. */
export type Outros = {
	/**
	 * Initiates the upload of an outro. `upload` of the answer is used as that of a video. If the slug is in use, the new
	 * asset replaces the old one as soon as it is available. It is retried as safely as `videos.create`.
	 */
	create(input: CallInput<"createOutro">["body"], options?: CallOptions): Promise<CreatedOutro>;
	/** Creates an outro and sends its bytes, as `videos.upload` does. Returns the outro once every byte has arrived. */
	upload(source: UploadSource, input: OutroUploadInput, options?: UploadOptions<CreatedOutro>): Promise<Outro>;
	/** Waits, as `videos.wait` does, until the newest asset is available or failed: look at its `state`. */
	wait(slug: string, options?: WaitOptions<Outro>): Promise<Outro>;
	/** Returns all outros, one for each slug. A domain has at most 50. */
	list(options?: CallOptions): Promise<Outro[]>;
	/**
	 * Returns the outro with a slug.
	 * @throws {ReelmillError} `outro_not_found` when there is none
	 */
	get(slug: string, options?: CallOptions): Promise<Outro>;
	/**
	 * Deletes an outro. Videos that were to get it do not fail.
	 * @throws {ReelmillError} `outro_not_found` when there is none, also on a second call
	 */
	delete(slug: string, options?: CallOptions): Promise<void>;
};

export const createOutros = (client: Client): Outros => ({
	create: (body, options) => client.call("createOutro", { body }, options),
	upload: (source, input, options = {}) => uploadOutro(client, source, input, options),
	wait: (slug, options = {}) => waitForOutro(client, slug, options),
	list: async (options) => (await client.call("listOutros", {}, options)).data,
	get: (slug, options) => client.call("getOutro", { params: { slug } }, options),
	delete: async (slug, options) => void (await client.call("deleteOutro", { params: { slug } }, options)),
});

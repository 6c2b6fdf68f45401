import type { CallInput, CallOptions, Client } from "@reelmill/client";
import type { CreatedOutro, Outro } from "@reelmill/contracts";
import { type OutroUploadInput, type UploadOptions, type UploadSource, uploadOutro } from "./upload.ts";
import { type WaitOptions, waitForOutro } from "./wait.ts";

/** A service without outros answers `not_found` to all of them. */
export type Outros = {
	/**
	 * Initiates the upload of an outro; its `upload` is used as that of a video. A slug in use is replaced, and serves
	 * its old asset until the new one is available.
	 */
	create(input: CallInput<"createOutro">["body"], options?: CallOptions): Promise<CreatedOutro>;
	/**
	 * Creates an outro and sends its bytes from here, as `videos.upload` does; gives it as it is when all bytes are in.
	 */
	upload(source: UploadSource, input: OutroUploadInput, options?: UploadOptions<CreatedOutro>): Promise<Outro>;
	/** Polls as `videos.wait` does until the asset that came last is available or failed: look at its `state`. */
	wait(slug: string, options?: WaitOptions<Outro>): Promise<Outro>;
	/** All outros, one a slug: a domain has 50 at most, so they come at once. */
	list(options?: CallOptions): Promise<Outro[]>;
	/** `outro_not_found` where no outro answers to the slug. */
	get(slug: string, options?: CallOptions): Promise<Outro>;
	/** Frees the slug; videos that pinned the outro do not fail. A second time it is `outro_not_found`. */
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

import type { CallInput, CallOptions, Client } from "@reelmill/client";
import type { CreatedOutro, Outro } from "@reelmill/contracts";

/** A service without outros answers `not_found` to all of them. */
export type Outros = {
	/** Initiates the upload of an outro; its `upload` is used as that of a video. A slug in use is replaced, and serves its old asset until the new one is available. */
	create(input: CallInput<"createOutro">["body"], options?: CallOptions): Promise<CreatedOutro>;
	/** All outros, one a slug: a domain has 50 at most, so they come at once. */
	list(options?: CallOptions): Promise<Outro[]>;
	/** `outro_not_found` where no outro answers to the slug. */
	get(slug: string, options?: CallOptions): Promise<Outro>;
	/** Frees the slug; videos that pinned the outro do not fail. A second time it is `outro_not_found`. */
	delete(slug: string, options?: CallOptions): Promise<void>;
};

export const createOutros = (client: Client): Outros => ({
	create: (body, options) => client.call("createOutro", { body }, options),
	list: async (options) => (await client.call("listOutros", {}, options)).data,
	get: (slug, options) => client.call("getOutro", { params: { slug } }, options),
	delete: async (slug, options) => void (await client.call("deleteOutro", { params: { slug } }, options)),
});

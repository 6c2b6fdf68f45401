import type { Bucket } from "../ports/index.ts";

/**
 * A place that the operator offers to all domains. Its videos follow it: whoever changes the bucket moves the objects.
 */
export type PlatformLocation = {
	/** What domains choose it by: 1 to 64 characters, for ever. */
	readonly id: string;
	/** For people. */
	readonly name: string;
	/** For people; what requests are signed for is the bucket's. */
	readonly region: string;
	readonly bucket: Bucket & { readonly owner: "platform" };
	/** The https address of the bucket's root, where anyone may read it; the URLs of public videos then start with it. */
	readonly publicBaseUrl?: string;
};

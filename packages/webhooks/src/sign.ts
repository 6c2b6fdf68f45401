import { digest } from "./digest.ts";

/** What `signWebhook` signs: the body, with which secrets, at which time in seconds. */
export type SignOptions = {
	/** The request's body, exactly as it is sent. A string stands for its UTF-8 bytes. */
	payload: string | Uint8Array;
	/** Every secret that is valid now, the newest first. For an hour after a rotation there are two. */
	secrets: readonly string[];
	/** Unix time in whole seconds. */
	timestamp: number;
};

/**
 * Signs a webhook's body. Returns the value of the signature header: `t=<timestamp>,v1=<hex>`, with one `v1` for each
 * secret, in their order. The same input always gives the same header.
 * @throws {TypeError} when there is no secret, a secret is empty, or the timestamp is no whole number
 * @example
 * ```ts
 * import { signWebhook } from "@reelmill/webhooks";
 *
 * const secrets = ["whsec_bm9ib2R5cyBzZWNyZXQ"];
 * const header = await signWebhook({ payload: "{}", secrets, timestamp: 1_767_225_600 });
 * console.log(header); // => t=1767225600,v1=b63e5d10ed4a62a3623b48389479b2dd6b08eae16143ff806a27764347b61c61
 * ```
 */
export async function signWebhook({ payload, secrets, timestamp }: SignOptions): Promise<string> {
	if (secrets.length === 0 || secrets.includes(""))
		throw new TypeError("A webhook is signed with at least one secret, and none may be empty.");
	if (!Number.isSafeInteger(timestamp))
		throw new TypeError(`The timestamp is Unix time in whole seconds, not ${timestamp}.`);
	const digests = await Promise.all(secrets.map((secret) => digest(secret, `${timestamp}`, payload)));
	return [`t=${timestamp}`, ...digests.map((hex) => `v1=${hex}`)].join(",");
}

import { digest } from "./digest.ts";

export type SignOptions = {
	/** The exact bytes that are sent as the request's body. A string stands for its UTF-8 bytes. */
	payload: string | Uint8Array;
	/** Every secret that is valid now, the newest first. After a rotation that is two for an hour. */
	secrets: readonly string[];
	/** Unix time in whole seconds. */
	timestamp: number;
};

/**
 * Answers the value of the signature header: `t=<timestamp>,v1=<hex>`, with one `v1` a secret in the order given.
 * The same input always gives the same header.
 * @throws TypeError without a secret, with an empty one, or with a timestamp that is not a whole number
 */
export async function signWebhook({ payload, secrets, timestamp }: SignOptions): Promise<string> {
	if (secrets.length === 0 || secrets.includes(""))
		throw new TypeError("A webhook is signed with at least one secret, and none may be empty.");
	if (!Number.isSafeInteger(timestamp))
		throw new TypeError(`The timestamp is Unix time in whole seconds, not ${timestamp}.`);
	const digests = await Promise.all(secrets.map((secret) => digest(secret, `${timestamp}`, payload)));
	return [`t=${timestamp}`, ...digests.map((hex) => `v1=${hex}`)].join(",");
}

import { createHmac } from "node:crypto";
import type { KeyRing } from "../secrets/index.ts";

/**
 * Returns what stands for an uploader whose name was erased, by each of the keys. Nobody without the master key can try
 * names against it.
 */
export type DigestUploader = (domainId: string, uploaderRef: string) => readonly [Buffer, ...Buffer[]];

export function createDigestUploader([current, ...previous]: KeyRing): DigestUploader {
	return (domainId, uploaderRef) => {
		const by = (key: Uint8Array) => createHmac("sha256", key).update(`${domainId}\0${uploaderRef}`).digest();
		return [by(current), ...previous.map(by)];
	};
}

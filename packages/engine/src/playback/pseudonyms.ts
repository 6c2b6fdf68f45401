import { createHmac } from "node:crypto";
import type { KeyRing } from "../secrets/index.ts";

/** Stands for viewers where anybody can read, whose `viewer_ref` may be a name that is easy to guess. */
export type Pseudonyms = {
	/** Returns 16 characters that stand for this viewer of this domain alone, under the present master key. */
	of(domainId: string, viewerRef: string): string;
	/**
	 * Returns the viewer's pseudonym under each master key, with 8 characters that change with `order` and don't tell it.
	 * They are the same on servers that know the same master keys, whichever of these signs.
	 */
	all(domainId: string, viewerRef: string, order: number): readonly (readonly [pseudonym: string, version: string])[];
};

const pseudonymCharacters = 16;
const versionCharacters = 8;

export function createPseudonyms(keys: KeyRing): Pseudonyms {
	const mark = (key: Uint8Array, text: string, characters: number) =>
		createHmac("sha256", key).update(text).digest("base64url").slice(0, characters);
	const pseudonym = (key: Uint8Array, domainId: string, viewerRef: string) =>
		mark(key, `viewer/${domainId}/${viewerRef}`, pseudonymCharacters);
	return {
		of: (domainId, viewerRef) => pseudonym(keys[0], domainId, viewerRef),
		all: (domainId, viewerRef, order) =>
			keys.map((key) => [
				pseudonym(key, domainId, viewerRef),
				mark(key, `revocation/${order}/${domainId}/${viewerRef}`, versionCharacters),
			]),
	};
}

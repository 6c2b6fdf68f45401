import type { PlatformLocation } from "./locations.ts";
import { trimSlashes } from "./profile.ts";

/** What a video's public addresses hang on: a part of the profile that it is pinned to. */
export type PublicPlace = { readonly location_id: string | null; readonly public_base_url: string | null; readonly key_prefix: string | null };

/** The address under which anyone may read a bucket's outputs, without a slash at its end; null where there is none. */
export function publicAddress(place: PublicPlace | null, locations: readonly PlatformLocation[]): string | null {
	if (place === null) return null;
	const location = locations.find(({ id }) => id === place.location_id);
	const base = place.location_id === null ? place.public_base_url : location?.publicBaseUrl;
	const prefix = trimSlashes(place.location_id === null ? (place.key_prefix ?? "") : (location?.bucket.keyPrefix ?? ""));
	return base == null ? null : [base.replace(/\/+$/, ""), ...(prefix === "" ? [] : [prefix])].join("/");
}

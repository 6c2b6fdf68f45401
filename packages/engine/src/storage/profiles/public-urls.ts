import sql, { type Sql } from "sql-template-tag";
import type { PlatformLocation } from "./locations.ts";
import { trimSlashes } from "./profile.ts";

/**
 * What a video's public addresses depend on: a part of the profile that the video is pinned to, and the publication
 * whose copies anyone may read; `null` while they aren't complete.
 */
export type PublicPlace = {
	readonly location_id: string | null;
	readonly public_base_url: string | null;
	readonly key_prefix: string | null;
	readonly publication: string | null;
};

/**
 * The one folder under the key prefix that anyone may read. It holds files of videos that are public now, and nothing
 * else.
 */
export const publicFolder = "public/";

/** Returns where the copies of one publication lie. */
export const publishedPrefix = (videoId: string, publication: string): string =>
	`${publicFolder}${videoId}/${publication}/`;

/**
 * Returns the address of a bucket's key prefix, without a slash at its end; `null` if the bucket has no public address.
 */
export function publicAddress(
	place: Omit<PublicPlace, "publication"> | null,
	locations: readonly PlatformLocation[],
): string | null {
	if (place === null) return null;
	const location = locations.find(({ id }) => id === place.location_id);
	const base = place.location_id === null ? place.public_base_url : location?.publicBaseUrl;
	const prefix = trimSlashes(
		place.location_id === null ? (place.key_prefix ?? "") : (location?.bucket.keyPrefix ?? ""),
	);
	return base == null ? null : [base.replace(/(?<!\/)\/+$/, ""), ...(prefix === "" ? [] : [prefix])].join("/");
}

/** Returns the same as a condition on `reelmill.storage_profiles p`: whether the bucket has a public address. */
export const hasPublicAddress = (locations: readonly PlatformLocation[]): Sql =>
	sql`(p.public_base_url is not null or p.location_id = any(${locations.filter(({ publicBaseUrl }) => publicBaseUrl !== undefined).map(({ id }) => id)}::text[]))`;

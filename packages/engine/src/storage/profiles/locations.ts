import type { Bucket } from "../../ports/index.ts";

/**
 * A place that the operator offers to all domains. Its videos follow it: if the operator changes the bucket, the
 * operator moves the objects.
 */
export type PlatformLocation = {
	/** Domains choose it by this name: 1 to 64 characters. It never changes. */
	readonly id: string;
	/** For people. */
	readonly name: string;
	/** For people. What requests are signed for is an option of the bucket. */
	readonly region: string;
	readonly bucket: Bucket & { readonly owner: "platform" };
	/** The https address of the bucket's root, if anyone may read there. The URLs of public videos then start with it. */
	readonly publicBaseUrl?: string;
};

/**
 * Returns the id of the location for new domains, or null if they store locally.
 *
 * @throws {RangeError} when there is no such location.
 */
export function checkDefaultLocation(id: string | undefined, locations: readonly PlatformLocation[]): string | null {
	if (id === undefined) return null;
	if (locations.some((location) => location.id === id)) return id;
	const known = locations.map((location) => location.id).join(", ");
	throw new RangeError(`There is no storage location "${id}"; ${known ? `there are: ${known}` : "there are none"}.`);
}

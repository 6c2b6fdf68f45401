import type { StorageView } from "@reelmill/contracts";
import type { PlatformLocation } from "./locations.ts";
import type { Current } from "./profiles.ts";

const nothing = {
	location_id: null,
	endpoint: null,
	region: null,
	bucket: null,
	key_prefix: null,
	force_path_style: null,
	access_key_id_last4: null,
	public_base_url: null,
	last_error: null,
	last_verified_at: null,
} as const;

/**
 * Returns a domain's current profile as the domain sees it: without secrets, and of a platform's location nothing that
 * is the operator's.
 */
export function viewStorage(
	{ version, row }: Current,
	locations: readonly PlatformLocation[],
	publicationsWaiting: number,
): StorageView {
	if (row === null) return { ...nothing, backend: "local", version, publications_waiting: publicationsWaiting };
	const { backend, location_id, last_error } = row;
	const verified = {
		version,
		publications_waiting: publicationsWaiting,
		last_verified_at: row.last_verified_at?.toISOString() ?? null,
	};
	if (backend === "s3_tenant") {
		const { endpoint, bucket, key_prefix, force_path_style, public_base_url } = row;
		const access_key_id_last4 = row.access_key_id?.slice(-4) ?? null;
		return {
			...nothing,
			...verified,
			backend,
			endpoint,
			region: row.region || null,
			bucket,
			key_prefix,
			force_path_style,
			access_key_id_last4,
			public_base_url,
			last_error,
		};
	}
	const location = locations.find(({ id }) => id === location_id);
	return {
		...nothing,
		...verified,
		backend,
		location_id,
		region: location?.region ?? null,
		public_base_url: location?.publicBaseUrl ?? null,
		last_error: last_error && locationOutOfOrder(location_id ?? ""),
	};
}

/** What a domain is told of a location's failure. Its operator finds the reason in the log and on the admin plane. */
export const locationOutOfOrder = (id: string): string => `The storage location ${id} is out of order.`;

import { ReelmillError, type StorageProfile } from "@reelmill/contracts";
import type { PlatformLocation } from "./locations.ts";
import { trimSlashes } from "./profile.ts";

export type TenantChoice = {
	readonly backend: "s3_tenant";
	readonly endpoint: string | null;
	/** Empty selects the one that the endpoint's provider has. */
	readonly region: string;
	readonly bucket: string;
	readonly key_prefix: string | null;
	readonly force_path_style: boolean;
	readonly public_base_url: string | null;
	/** `null` if it was left out: then the key that the place was last given is used. */
	readonly key: { readonly id: string; readonly secret: string } | null;
};
export type PlatformChoice = { readonly backend: "s3_platform"; readonly location: PlatformLocation };
export type Choice = { readonly backend: "local" } | PlatformChoice | TenantChoice;

const fieldsOf: Record<StorageProfile["backend"], readonly (keyof StorageProfile)[]> = {
	local: [],
	s3_platform: ["location_id"],
	s3_tenant: [
		"endpoint",
		"region",
		"bucket",
		"key_prefix",
		"force_path_style",
		"access_key_id",
		"secret_access_key",
		"public_base_url",
	],
};
/**
 * Returns what a tenant asks for, with the defaults filled in.
 *
 * @throws {ReelmillError} `validation_error`, naming the field that is missing, is wrong or belongs to another backend.
 */
export function readChoice(
	profile: StorageProfile,
	locations: readonly PlatformLocation[],
	hasBuckets: boolean,
): Choice {
	const { backend, ...fields } = profile;
	if (backend === "s3_tenant" && !hasBuckets)
		refuse("backend", "this server stores on its local disk only, not on s3_tenant");
	if (backend === "s3_platform" && (!hasBuckets || locations.length === 0))
		refuse("backend", "this server has no storage locations");
	for (const [field, value] of Object.entries(fields)) {
		const isStray = !fieldsOf[backend].includes(field as keyof StorageProfile) && value !== undefined && value !== null;
		if (isStray) refuse(field, `does not belong to the backend ${backend}`);
	}
	if (backend === "local") return { backend };
	if (backend === "s3_tenant") return readTenantChoice(profile);
	const id = profile.location_id ?? refuse("location_id", "is required with the backend s3_platform");
	const location =
		locations.find((each) => each.id === id) ??
		refuse("location_id", "is not one of the locations that GET /v1/storage/locations lists");
	return { backend, location };
}

function readTenantChoice(profile: StorageProfile): TenantChoice {
	const bucket = profile.bucket ?? refuse("bucket", "is required with the backend s3_tenant");
	if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(bucket)) refuse("bucket", "is not a name that buckets have");
	const endpoint = profile.endpoint === undefined ? null : readEndpoint(profile.endpoint);
	const region =
		profile.region || (endpoint === null ? refuse("region", "is required where no endpoint is named") : "");
	if (!/^([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)?$/.test(region)) refuse("region", "is not a name that regions have");
	const prefix = trimSlashes(profile.key_prefix ?? "");
	if (!/^([A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)?$/.test(prefix)) {
		refuse("key_prefix", "may hold parts of letters, digits, dots, hyphens and underscores, with slashes between them");
	}
	if (profile.public_base_url != null) checkAddress("public_base_url", profile.public_base_url);
	return {
		backend: "s3_tenant",
		endpoint,
		region,
		bucket,
		key_prefix: profile.key_prefix || null,
		force_path_style:
			profile.force_path_style ?? (endpoint !== null && !/\.amazonaws\.com(\.cn)?$/.test(new URL(endpoint).hostname)),
		public_base_url: profile.public_base_url ?? null,
		key: readKey(profile),
	};
}

function readKey({ access_key_id: id, secret_access_key: secret }: StorageProfile): TenantChoice["key"] {
	if (id === undefined && secret === undefined) return null;
	return {
		id: id ?? refuse("access_key_id", "is required with a secret_access_key"),
		secret: secret ?? refuse("secret_access_key", "is required with an access_key_id"),
	};
}

function readEndpoint(endpoint: string): string {
	const url = checkAddress("endpoint", endpoint);
	return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, "")}`;
}

function checkAddress(field: string, address: string): URL {
	const url = URL.parse(address) ?? refuse(field, "is not an address");
	if (url.username !== "" || url.password !== "") refuse(field, "must not hold credentials");
	if (url.search !== "" || url.hash !== "") refuse(field, "must end with its path");
	return url;
}

function refuse(field: string, reason: string): never {
	throw new ReelmillError("validation_error", { message: `${field}: ${reason}.` });
}

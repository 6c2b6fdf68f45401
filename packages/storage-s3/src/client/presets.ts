import { StorageError } from "@reelmill/engine/ports";
import type { S3Bucket } from "./s3-bucket.ts";

/** What a provider needs if the bucket's settings leave it out. docs/guides/storage.md has the whole table. */
export type Preset = {
	readonly name: "aws" | "r2" | "b2" | "wasabi" | "spaces" | "minio" | "ceph" | "other";
	/** The region for signatures if the bucket names none. */
	readonly region: string;
	/**
	 * Whether the bucket's name must stand in the path instead of the host's name, whatever the bucket's settings say.
	 */
	readonly forcePathStyle: boolean;
};

type Recognised = {
	readonly name: Preset["name"];
	readonly host: RegExp;
	readonly region?: string;
	readonly forcePathStyle?: boolean;
};

/** The first that matches counts. A group named `region` is the region. */
const providers: readonly Recognised[] = [
	{ name: "aws", host: /^s3[.-](?:dualstack\.)?(?<region>[a-z]{2}(?:-[a-z]+)+-\d+)\.amazonaws\.com(?:\.cn)?$/ },
	{ name: "aws", host: /(?:^|\.)s3\.amazonaws\.com$/ },
	{ name: "r2", host: /\.r2\.cloudflarestorage\.com$/, region: "auto" },
	{ name: "b2", host: /^s3\.(?<region>[a-z0-9-]+)\.backblazeb2\.com$/ },
	{ name: "wasabi", host: /^s3\.(?<region>[a-z0-9-]+)\.wasabisys\.com$/ },
	{ name: "wasabi", host: /^s3\.wasabisys\.com$/ },
	{ name: "spaces", host: /^(?<region>[a-z0-9-]+)\.digitaloceanspaces\.com$/ },
	{ name: "minio", host: /(?:^|[.-])min(?:io|\.io)(?:[.-]|$)/, forcePathStyle: true },
	{ name: "ceph", host: /(?:^|[.-])(?:ceph|rgw|radosgw)(?:[.-]|\d*$)/, forcePathStyle: true },
	// There are no names below an address, or below a name without a dot.
	{ name: "other", host: /^(?:[^.]+|[\d.]+)$/, forcePathStyle: true },
];

/**
 * Returns the preset of the provider that `endpoint` belongs to; `null` means AWS.
 *
 * @example
 * ```ts
 * import { presetOf } from "@reelmill/storage-s3";
 *
 * const { name, region } = presetOf("https://s3.eu-central-003.backblazeb2.com");
 * console.log(name, region); // => b2 eu-central-003
 * ```
 */
export function presetOf(endpoint: string | null): Preset {
	const host = endpoint === null ? "s3.amazonaws.com" : URL.canParse(endpoint) ? new URL(endpoint).hostname : "";
	for (const { name, host: pattern, region = "us-east-1", forcePathStyle = false } of providers) {
		const match = pattern.exec(host);
		if (match) return { name, region: match.groups?.region ?? region, forcePathStyle };
	}
	return { name: "other", region: "us-east-1", forcePathStyle: false };
}

/**
 * Completes `bucket` with its provider's region if its own is the empty string, and with path style if the provider
 * needs it.
 */
export function withPreset(bucket: S3Bucket): S3Bucket {
	const preset = presetOf(bucket.endpoint);
	return {
		...bucket,
		region: bucket.region || preset.region,
		forcePathStyle: bucket.forcePathStyle || preset.forcePathStyle,
	};
}

/**
 * Matches the bucket names of every provider, old ones of AWS included. A slash isn't allowed, so that a name is never
 * a path.
 */
const bucketName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/;
const regionName = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?$/;

/**
 * Returns the URL that requests to the bucket begin with: `endpoint`, or AWS's own for the region if `endpoint` is
 * null.
 *
 * @throws {StorageError} when the endpoint, the region or the bucket's name is malformed: a request would go somewhere
 * else than the name says.
 */
export function endpointOf({ region, bucket }: S3Bucket, endpoint: string | null): string {
	if (!bucketName.test(bucket))
		throw new StorageError("bucket", "The bucket's name isn't one of letters, digits, dots, hyphens and underscores");
	if (!regionName.test(region))
		throw new StorageError("bucket", "The region's name isn't one of letters, digits and hyphens");
	if (endpoint === null) return `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
	const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
	if (!url || !["http:", "https:"].includes(url.protocol) || url.username || url.password || url.search || url.hash)
		throw new StorageError("unreachable", "The endpoint isn't a plain URL of http or https");
	return endpoint;
}

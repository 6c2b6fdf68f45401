import { type Bucket, StorageError } from "@reelmill/engine/ports";

/** What a provider needs where a bucket doesn't say it. docs/guides/storage.md has the whole table. */
export type Preset = {
	readonly name: "aws" | "r2" | "b2" | "wasabi" | "spaces" | "minio" | "ceph" | "other";
	/** For signatures, where the bucket names none. */
	readonly region: string;
	/** Buckets stand in the path and not in the host's name, whatever the bucket says. */
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
	// A name without a dot, or an address, has no names below it.
	{ name: "other", host: /^(?:[^.]+|[\d.]+)$/, forcePathStyle: true },
];

/** The preset of the provider whose host `endpoint` is; AWS's for null. */
export function presetOf(endpoint: string | null): Preset {
	const host = endpoint === null ? "s3.amazonaws.com" : URL.canParse(endpoint) ? new URL(endpoint).hostname : "";
	for (const { name, host: pattern, region = "us-east-1", forcePathStyle = false } of providers) {
		const match = pattern.exec(host);
		if (match) return { name, region: match.groups?.region ?? region, forcePathStyle };
	}
	return { name: "other", region: "us-east-1", forcePathStyle: false };
}

/**
 * `bucket` with its provider's region where it names none (the empty string), and in path style where the provider
 * needs it.
 */
export function withPreset(bucket: Bucket): Bucket {
	const preset = presetOf(bucket.endpoint);
	return {
		...bucket,
		region: bucket.region || preset.region,
		forcePathStyle: bucket.forcePathStyle || preset.forcePathStyle,
	};
}

/** Bucket names of every provider, old ones of AWS included. No slash, so that a name is never a path. */
const bucketName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/;
const regionName = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?$/;

/**
 * The URL that requests to the bucket begin with: `endpoint`, or AWS's own of the region for null.
 *
 * @throws StorageError where the endpoint, the region or the bucket's name can't be one: each would lead somewhere else
 * than it says.
 */
export function endpointOf({ region, bucket }: Bucket, endpoint: string | null): string {
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

import type { StorageProfile } from "@reelmill/contracts";

export type Failing = { readonly step: string; readonly message: string };
type Advice = { readonly about: RegExp; readonly steps?: readonly string[]; say(profile: StorageProfile): string };

const host = ({ endpoint, region }: StorageProfile): string =>
	endpoint ? new URL(endpoint).host : `s3.${region}.amazonaws.com`;
const bucketHost = (profile: StorageProfile): string => `${profile.bucket}.${host(profile)}`;
const where = ({ bucket, key_prefix }: StorageProfile): string =>
	`${bucket}/*${key_prefix ? ` (not on ${bucket}/${key_prefix}/* alone: raw uploads lie at the root)` : ""}`;

/**
 * The service's messages on a failed step, and the advice for each. An advice begins with the setting that mends it.
 */
const all: readonly Advice[] = [
	{
		about: /may not be reached/,
		say: (profile) =>
			`endpoint: ${host(profile)} is at a private or reserved address. Name a public one, or have the service's operator allow it with REELMILL_STORAGE_ALLOW_CIDRS.`,
	},
	{
		about: /has no address|couldn't be resolved/,
		say: (profile) =>
			profile.force_path_style === false
				? `force_path_style: without it the service asks ${bucketHost(profile)}. If that name isn't in the DNS, set force_path_style=true.`
				: `endpoint: ${host(profile)} isn't in the DNS. Look for a slip of the pen.`,
	},
	{
		about: /Nothing listens/,
		say: (profile) => `endpoint: no server listens at ${host(profile)}. Is its port right, and does the server run?`,
	},
	{
		about: /certificate|TLS/,
		say: (profile) =>
			`endpoint: the certificate at ${host(profile)} isn't one that is trusted, or the port doesn't speak TLS.${
				profile.bucket?.includes(".") && profile.force_path_style === false
					? " A bucket with dots in its name fits no wildcard certificate: force_path_style=true helps."
					: " A certificate of a public authority, or http:// where the network is yours, helps."
			}`,
	},
	{
		about: /took too long|took more than|in time|no way to the endpoint/,
		say: (profile) =>
			`endpoint: ${host(profile)} doesn't answer the service. A firewall that drops its connections is the usual reason.`,
	},
	{
		about: /doesn't know this access key/,
		say: (profile) =>
			`access_key_id: the server at ${host(profile)} doesn't know it. It may be deleted, or belong to another provider or account.`,
	},
	{
		about: /secret access key isn't/,
		say: () =>
			"secret_access_key: it isn't the one that belongs to the access_key_id. Copy it anew, or make a new key.",
	},
	{
		about: /region isn't|or the region|another region|sends elsewhere/,
		say: (profile) =>
			`region: ${profile.region ? `${profile.region} may not be the bucket's` : "none is set"}. The provider's console shows the bucket's region, and the endpoint that goes with it.`,
	},
	{
		about: /clocks/,
		say: () => "clock: the service's clock or the server's is wrong by minutes. Let both keep time by NTP.",
	},
	{ about: /suspended|expired/, say: () => "access_key_id: the key was shut off. Make a new one." },
	{
		about: /isn't allowed/,
		steps: ["write"],
		say: (profile) => `permissions: allow s3:PutObject and s3:AbortMultipartUpload on ${where(profile)}.`,
	},
	{
		about: /isn't allowed/,
		steps: ["read", "presign"],
		say: (profile) => `permissions: allow s3:GetObject on ${where(profile)}.`,
	},
	{
		about: /isn't allowed/,
		steps: ["delete"],
		say: (profile) =>
			`permissions: allow s3:DeleteObject and s3:ListMultipartUploadParts on ${where(profile)}, and s3:ListBucket and s3:ListBucketMultipartUploads on the bucket ${profile.bucket}.`,
	},
	{
		about: /no bucket of this name|takes no bucket/,
		say: (profile) =>
			`bucket: ${host(profile)} has no ${profile.bucket}. Look at its name, its region and, where it isn't AWS, the endpoint.${
				profile.force_path_style === false
					? " A server that doesn't know buckets by host name needs force_path_style=true."
					: ""
			}`,
	},
	{ about: /quota is used up/, say: () => "quota: the bucket or its account is full." },
	{
		about: /no answer of S3|isn't what is written|refused the request|server failed/,
		say: (profile) => `endpoint: what answers at ${host(profile)} may not be a server of S3.`,
	},
];

/** Returns what to look at and change, the likeliest first. It is never empty. */
export function adviceFor(profile: StorageProfile, { step, message }: Failing): string[] {
	if (profile.backend === "local")
		return ["local: the service's own disk fails. Its operator finds the reason in the service's log."];
	const found = all
		.filter(({ about, steps }) => about.test(message) && (steps === undefined || steps.includes(step)))
		.map(({ say }) => say(profile));
	if (step === "presign")
		found.push(
			"endpoint: workers and viewers follow presigned addresses, so it must be the name by which they, too, reach the server.",
		);
	if (found.length === 0)
		found.push(
			"Try the same key and bucket with another S3 client from the machine that the service runs on, and compare.",
		);
	return found;
}

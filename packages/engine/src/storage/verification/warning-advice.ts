import type { StorageProfile, StorageWarning as Warning } from "@reelmill/contracts";

/** Formats a prefix: without slashes at its ends, then with one behind it; empty for none. */
const folder = ({ key_prefix }: StorageProfile): string =>
	key_prefix?.replaceAll("/", "") ? `${key_prefix.split("/").filter(Boolean).join("/")}/` : "";
const bucketOf = ({ bucket }: StorageProfile): string => bucket ?? "the location's bucket";
const publicPart = (profile: StorageProfile): string =>
	profile.bucket ? `${profile.bucket}/${folder(profile)}public/*` : "public/* below the location's key prefix";

/**
 * Warnings on what requests without a key get from the bucket, with what mends it. Each begins with what is wrong.
 */
const said: Readonly<Record<Warning, (profile: StorageProfile) => string>> = {
	outputs_readable: (profile) =>
		`not private: anyone may read outputs of private videos and moderation frames in ${bucketOf(profile)}. Let the bucket's policy allow s3:GetObject to everyone on ${publicPart(profile)} alone.`,
	uploads_readable: (profile) =>
		`not private: anyone may read raw uploads at the root of ${bucketOf(profile)}. Let the bucket's policy allow s3:GetObject to everyone on ${publicPart(profile)} alone.`,
	keys_listable: (profile) =>
		`not private: anyone may list the keys in ${bucketOf(profile)}. Allow s3:ListBucket to nobody but the service's access key.`,
	public_unreadable: (profile) =>
		`public_base_url: what lies in ${publicPart(profile)} can't be read there without a key. Let the bucket's policy allow s3:GetObject to everyone on it, and let the address be that of the bucket's root.`,
};

export const adviceOn = (warnings: readonly Warning[], profile: StorageProfile): string[] =>
	warnings.map((warning) => said[warning](profile));

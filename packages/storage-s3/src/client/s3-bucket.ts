import type { Bucket } from "@reelmill/engine/ports";

/** A bucket in the words of S3. */
export type S3Bucket = Pick<Bucket, "owner" | "endpoint" | "publicEndpoint" | "bucket" | "keyPrefix"> & {
	/** Empty selects the one that the endpoint's provider has. */
	readonly region: string;
	/** Uses `https://endpoint/bucket/key` instead of `https://bucket.endpoint/key`. */
	readonly forcePathStyle: boolean;
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
};

/**
 * Returns the engine's description of a bucket of S3, for a platform location or for `BucketOpener.open`.
 *
 * @example
 * ```ts
 * import { s3Bucket } from "@reelmill/storage-s3";
 *
 * const bucket = s3Bucket({
 * 	owner: "platform",
 * 	bucket: "videos",
 * 	region: "eu-central-1",
 * 	accessKeyId: "AKIDEXAMPLE",
 * 	secretAccessKey: "secret",
 * });
 * console.log(bucket.options); // => { region: 'eu-central-1', forcePathStyle: false }
 * ```
 */
export function s3Bucket<Owner extends Bucket["owner"]>({
	endpoint = null,
	publicEndpoint = null,
	keyPrefix = "",
	region = "",
	forcePathStyle = false,
	accessKeyId,
	secretAccessKey,
	...place
}: { owner: Owner } & Pick<S3Bucket, "bucket" | "accessKeyId" | "secretAccessKey"> & Partial<S3Bucket>): Bucket & {
	readonly owner: Owner;
} {
	return {
		...place,
		protocol: "s3",
		endpoint,
		publicEndpoint,
		keyPrefix,
		credentials: { id: accessKeyId, secret: secretAccessKey },
		options: { region, forcePathStyle },
	};
}

/**
 * Reads the options of a bucket. What is missing is left to the provider's preset; without credentials none are sent.
 */
export function readS3Bucket({ credentials, options, protocol: _, ...place }: Bucket): S3Bucket {
	return {
		...place,
		region: String(options.region ?? ""),
		forcePathStyle: options.forcePathStyle === true,
		accessKeyId: credentials?.id ?? "",
		secretAccessKey: credentials?.secret ?? "",
	};
}

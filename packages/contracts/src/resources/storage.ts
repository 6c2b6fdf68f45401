import * as z from "zod";
import { Id, Timestamp } from "./common.ts";

/** What kinds of storage there are. */
export const storageBackends = ["local", "s3_platform", "s3_tenant"] as const;
/** The kind of a storage. */
export const StorageBackend = z.enum(storageBackends);
export type StorageBackend = z.infer<typeof StorageBackend>;

/** The place for a domain's new videos. `location_id` belongs to s3_platform, all other fields to s3_tenant. */
export const StorageProfile = z.strictObject({
	backend: StorageBackend.meta({
		description:
			"`local` takes no other field, `s3_platform` takes `location_id`, and `s3_tenant` describes a bucket of your own.",
	}),
	location_id: z.string().max(64).optional().meta({ description: "The id of one of the platform's locations." }),
	endpoint: z
		.string()
		.max(255)
		.regex(/^https?:\/\//)
		.optional()
		.meta({ description: "The address of the provider's S3 API (default: AWS's of the region)." }),
	region: z
		.string()
		.max(64)
		.optional()
		.meta({ description: "May be left out beside an endpoint: then it is what the provider takes." }),
	bucket: z.string().min(1).max(255).optional().meta({ description: "The bucket's name." }),
	key_prefix: z
		.string()
		.max(128)
		.optional()
		.meta({ description: "Applies to outputs only; raw uploads are keyed at the bucket's root." }),
	force_path_style: z
		.boolean()
		.optional()
		.meta({ description: "True unless told, where an endpoint is named that isn't AWS's." }),
	access_key_id: z.string().min(1).max(128).optional().meta({
		description:
			"May be left out, with the secret, for a bucket that the domain has or had: then it is the key that it was last given.",
	}),
	secret_access_key: z.string().min(1).max(256).optional().meta({ description: "Never returned." }),
	public_base_url: z
		.string()
		.max(500)
		.regex(/^https:\/\//)
		.nullable()
		.optional()
		.meta({
			description:
				"The address of the bucket's root. Public videos are copied to `public/` under the key prefix, and are linked there; let anyone read that alone.",
		}),
});
export type StorageProfile = z.infer<typeof StorageProfile>;

/** The current profile, without its credentials. Fields that its backend does not have are null. */
export const StorageView = z.object({
	backend: StorageBackend.meta({ description: "Where new videos are stored." }),
	location_id: z.string().nullable().meta({ description: "The platform's location that was chosen." }),
	endpoint: z.string().nullable().meta({ description: "The address of the S3 API." }),
	region: z.string().nullable().meta({ description: "The bucket's region." }),
	bucket: z.string().nullable().meta({ description: "The bucket's name." }),
	key_prefix: z.string().nullable().meta({ description: "What the keys of outputs begin with." }),
	force_path_style: z.boolean().nullable().meta({ description: "Whether addresses name the bucket in their path." }),
	access_key_id_last4: z.string().nullable().meta({ description: "The last four characters of the access key's id." }),
	public_base_url: z.string().nullable().meta({ description: "The address at which public copies are read." }),
	version: z
		.int()
		.meta({ description: "Rises with each new bucket, endpoint or region; a new key for the same bucket keeps it." }),
	last_error: z.string().nullable().meta({ description: "What went wrong at its last use; null if nothing did." }),
	last_verified_at: Timestamp.nullable().meta({
		description: "When it was last used without an error; null before that.",
	}),
	publications_waiting: z.int().meta({
		description: "The domain's public videos that aren't copied yet to where their bucket's public_base_url leads.",
	}),
});
export type StorageView = z.infer<typeof StorageView>;

/** The steps of a storage's verification, in order. */
export const storageSteps = ["connect", "write", "read", "presign", "delete"] as const;
/** A step of a storage's verification. */
export const StorageStep = z.enum(storageSteps);
/** What may come of a step of a storage's verification. */
export const storageCheckStates = ["passed", "failed", "not_reached"] as const;
/** A step of a check, with how it went. Steps that a storage isn't asked for are left out. */
export const StorageCheck = z.object({
	step: StorageStep.meta({ description: "What was tried." }),
	state: z.enum(storageCheckStates).meta({ description: "How it went." }),
	duration_ms: z.int().meta({ description: "0 of a step that is part of the next one, or that wasn't reached." }),
});
export type StorageCheck = z.infer<typeof StorageCheck>;
/** What a verification may warn of. */
export const storageWarnings = ["outputs_readable", "uploads_readable", "keys_listable", "public_unreadable"] as const;
/** What a verification warns of. */
export type StorageWarning = (typeof storageWarnings)[number];
/** The steps of a check of a storage, in order. If one fails, the answer is the error `storage_verification_failed`. */
export const StorageVerification = z.object({
	verified_at: Timestamp.meta({ description: "When the check ended." }),
	steps: z.array(StorageStep).meta({ description: "The steps that passed." }),
	checks: z.array(StorageCheck).meta({ description: "The steps with their times." }),
	warnings: z.array(z.enum(storageWarnings)).meta({
		description:
			"What the bucket does to requests without credentials and should not: it gives outputs outside of `public/`, or raw uploads; it lists keys; it refuses what lies in `public/` at `public_base_url`.",
	}),
	advice: z.array(z.string()).meta({ description: "What mends each warning, for people." }),
});
export type StorageVerification = z.infer<typeof StorageVerification>;

/** A place where videos of a domain lie: the local disk, a platform's location or a bucket. */
const StoragePlaceRow = z.object({
	id: Id.nullable().meta({ description: "Null for the local disk." }),
	is_current: z.boolean().meta({ description: "Whether new videos are stored there." }),
	backend: StorageBackend.meta({ description: "What kind of storage it is." }),
	location_id: z.string().nullable().meta({ description: "The platform's location; null for others." }),
	endpoint: z
		.string()
		.nullable()
		.meta({ description: "The address of the S3 API; null for the local disk and for AWS's." }),
	region: z.string().nullable().meta({ description: "The bucket's region; null for the local disk." }),
	bucket: z.string().nullable().meta({ description: "The bucket's name; null for the local disk." }),
	key_prefix: z.string().nullable().meta({ description: "What the keys of outputs begin with; null for none." }),
	last_error: z.string().nullable().meta({ description: "What went wrong at its last use; null if nothing did." }),
	last_verified_at: Timestamp.nullable().meta({
		description: "When it was last used without an error; null before that.",
	}),
	created_at: Timestamp.nullable().meta({ description: "When the domain first chose it." }),
	videos: z.int().meta({ description: "How many videos are stored there. At most 30 s old, as `bytes` is." }),
	bytes: z.int().meta({ description: "Bytes that are stored there." }),
});
/** A place where videos of a domain lie: how many videos, and how many bytes. */
export type StoragePlace = z.infer<typeof StoragePlaceRow>;
/** The places where videos of a domain lie. */
export const StoragePlaceList = z.object({
	data: z.array(StoragePlaceRow).meta({ description: "The places, the current one first." }),
});
export type StoragePlaceList = z.infer<typeof StoragePlaceList>;

/** A location of the platform that a domain may choose. */
export const StorageLocation = z.object({
	id: z.string().meta({ description: "What `location_id` takes." }),
	name: z.string().meta({ description: "A name for people." }),
	region: z.string().meta({ description: "The region of its bucket." }),
});
export type StorageLocation = z.infer<typeof StorageLocation>;
/** The locations of the platform that a domain may choose. */
export const StorageLocationList = z.object({
	data: z.array(StorageLocation).meta({ description: "Every location." }),
});
export type StorageLocationList = z.infer<typeof StorageLocationList>;

/** A platform location as an operator sees it: without its credentials, and with its last error. */
export const AdminStorageLocation = z.object({
	...StorageLocation.shape,
	endpoint: z.string().nullable().meta({ description: "The address of the provider's S3 API; null for AWS's." }),
	bucket: z.string().meta({ description: "The bucket's name." }),
	public_base_url: z
		.string()
		.nullable()
		.meta({ description: "Where the bucket's public copies are read; null if the delivery plane serves them." }),
	last_error: z.string().nullable().meta({ description: "What went wrong at its last use; null if nothing did." }),
	last_verified_at: Timestamp.nullable().meta({
		description: "When it was last used without an error; null before that.",
	}),
});
export type AdminStorageLocation = z.infer<typeof AdminStorageLocation>;
/** The locations of the platform, as its operator sees them. */
export const AdminStorageLocationList = z.object({
	data: z.array(AdminStorageLocation).meta({ description: "Every location, as configured." }),
});
export type AdminStorageLocationList = z.infer<typeof AdminStorageLocationList>;

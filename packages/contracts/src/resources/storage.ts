import * as z from "zod";
import { Id, Timestamp } from "./common.ts";

/** What kinds of storage there are. */
export const storageBackends = ["local", "s3_platform", "s3_tenant"] as const;
/** The kind of a storage. */
export const StorageBackend = z.enum(storageBackends);
export type StorageBackend = z.infer<typeof StorageBackend>;

/** The place for a domain's new videos. `location_id` belongs to s3_platform, all other fields to s3_tenant. */
export const StorageProfile = z.strictObject({
	backend: StorageBackend,
	location_id: z.string().max(64).optional(),
	endpoint: z
		.string()
		.max(255)
		.regex(/^https?:\/\//)
		.optional(),
	region: z
		.string()
		.max(64)
		.optional()
		.meta({ description: "May be left out beside an endpoint: then it is what the provider takes." }),
	bucket: z.string().min(1).max(255).optional(),
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
	backend: StorageBackend,
	location_id: z.string().nullable(),
	endpoint: z.string().nullable(),
	region: z.string().nullable(),
	bucket: z.string().nullable(),
	key_prefix: z.string().nullable(),
	force_path_style: z.boolean().nullable(),
	access_key_id_last4: z.string().nullable(),
	public_base_url: z.string().nullable(),
	version: z
		.int()
		.meta({ description: "Rises with each new bucket, endpoint or region; a new key for the same bucket keeps it." }),
	last_error: z.string().nullable(),
	last_verified_at: Timestamp.nullable(),
	publications_waiting: z.int().meta({
		description: "The domain's public videos that aren't copied yet to where their bucket's public_base_url leads.",
	}),
});
export type StorageView = z.infer<typeof StorageView>;

/** The steps of a storage's verification, in order. */
export const storageSteps = ["connect", "write", "read", "presign", "delete"] as const;
/** What may come of a step of a storage's verification. */
export const storageCheckStates = ["passed", "failed", "not_reached"] as const;
/** A step of a check, with how it went. Steps that a storage isn't asked for are left out. */
export const StorageCheck = z.object({
	step: z.enum(storageSteps),
	state: z.enum(storageCheckStates),
	duration_ms: z.int().meta({ description: "0 of a step that is part of the next one, or that wasn't reached." }),
});
export type StorageCheck = z.infer<typeof StorageCheck>;
/** What a verification may warn of. */
export const storageWarnings = ["outputs_readable", "uploads_readable", "keys_listable", "public_unreadable"] as const;
/** What a verification warns of. */
export type StorageWarning = (typeof storageWarnings)[number];
/** The steps of a check of a storage, in order. If one fails, the answer is the error `storage_verification_failed`. */
export const StorageVerification = z.object({
	verified_at: Timestamp,
	steps: z.array(z.enum(storageSteps)),
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
	backend: StorageBackend,
	location_id: z.string().nullable(),
	endpoint: z.string().nullable(),
	region: z.string().nullable(),
	bucket: z.string().nullable(),
	key_prefix: z.string().nullable(),
	last_error: z.string().nullable(),
	last_verified_at: Timestamp.nullable(),
	created_at: Timestamp.nullable().meta({ description: "When the domain first chose it." }),
	videos: z.int().meta({ description: "How many videos are stored there. At most 30 s old, as `bytes` is." }),
	bytes: z.int(),
});
/** A place where videos of a domain lie: how many videos, and how many bytes. */
export type StoragePlace = z.infer<typeof StoragePlaceRow>;
/** The places where videos of a domain lie. */
export const StoragePlaceList = z.object({ data: z.array(StoragePlaceRow) });
export type StoragePlaceList = z.infer<typeof StoragePlaceList>;

/** A location of the platform that a domain may choose. */
export const StorageLocation = z.object({ id: z.string(), name: z.string(), region: z.string() });
export type StorageLocation = z.infer<typeof StorageLocation>;
/** The locations of the platform that a domain may choose. */
export const StorageLocationList = z.object({ data: z.array(StorageLocation) });
export type StorageLocationList = z.infer<typeof StorageLocationList>;

/** A platform location as an operator sees it: without its credentials, and with its last error. */
export const AdminStorageLocation = z.object({
	...StorageLocation.shape,
	endpoint: z.string().nullable(),
	bucket: z.string(),
	public_base_url: z.string().nullable(),
	last_error: z.string().nullable(),
	last_verified_at: Timestamp.nullable(),
});
export type AdminStorageLocation = z.infer<typeof AdminStorageLocation>;
/** The locations of the platform, as its operator sees them. */
export const AdminStorageLocationList = z.object({ data: z.array(AdminStorageLocation) });
export type AdminStorageLocationList = z.infer<typeof AdminStorageLocationList>;

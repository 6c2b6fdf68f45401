import * as z from "zod";
import { Id, Timestamp } from "./common.ts";
import { AdminStorageLocation } from "./storage.ts";

/** A setting in force. The value of a secret is never told. */
export const SettingInForce = z.object({
	name: z.string(),
	description: z.string(),
	value: z.string().nullable().meta({ description: "Null if the setting is a secret, or has no value." }),
	is_set: z.boolean().meta({ description: "Whether the operator gave it a value; otherwise the default is in force." }),
	is_secret: z.boolean(),
});
export type SettingInForce = z.infer<typeof SettingInForce>;

/** What a server knows of itself that the engine doesn't. */
export const ServerFacts = z.object({
	settings: z.array(SettingInForce),
	disk: z
		.object({ takes_writes: z.boolean(), free_bytes: z.int().min(0), total_bytes: z.int().min(0) })
		.nullable()
		.meta({ description: "The disk of the server's data directory." }),
});
export type ServerFacts = z.infer<typeof ServerFacts>;

const domains = z.int().min(0).meta({ description: "Domains whose new videos are stored there." });

/** The installation, as the server that answers sees it. */
export const System = z.object({
	taken_at: Timestamp,
	version: z.string(),
	started_at: Timestamp.meta({ description: "When the server that answers started." }),
	base_url: z.string(),
	database: z.object({
		version: z.string(),
		migrations: z.int().min(0),
		last_migration: z.string(),
		clock_ahead_milliseconds: z
			.number()
			.meta({ description: "How far the server's clock is ahead of the database's." }),
		size_bytes: z.int().min(0),
	}),
	storage: z.object({
		local: z.object({
			domains,
			is_own: z.boolean().nullable().meta({
				description: "Whether the disk is the one that the installation's files lie in; null before its first use.",
			}),
		}),
		locations: z.array(AdminStorageLocation.extend({ domains })),
		failing_buckets: z
			.array(
				z.object({
					domain_id: Id,
					domain_slug: z.string(),
					bucket: z.string(),
					is_current: z.boolean().meta({ description: "Whether the domain's new videos are stored there." }),
					last_error: z.string(),
					last_verified_at: Timestamp.nullable(),
				}),
			)
			.meta({ description: "Tenants' buckets whose last use failed: at most 100." }),
	}),
	server: ServerFacts.nullable().meta({ description: "Null if the program that serves says nothing of itself." }),
});
export type System = z.infer<typeof System>;

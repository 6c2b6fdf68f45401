import * as z from "zod";
import { Id, Timestamp } from "./common.ts";
import { AdminStorageLocation } from "./storage.ts";

/** A setting in force. The value of a secret is never told. */
export const SettingInForce = z.object({
	name: z.string().meta({ description: "The variable that sets it." }),
	description: z.string().meta({ description: "What it does." }),
	value: z.string().nullable().meta({
		description: "What is in force; null if the setting is a secret, has no value, or is worked out as `default` says.",
	}),
	default: z.string().nullable().meta({
		description: "What holds if the operator sets nothing, in words; null if nothing does.",
	}),
	is_set: z.boolean().meta({ description: "Whether the operator gave it a value; otherwise the default is in force." }),
	is_secret: z.boolean().meta({ description: "Whether its value is a secret." }),
});
export type SettingInForce = z.infer<typeof SettingInForce>;

/** What a server knows of itself that the engine doesn't. */
export const ServerFacts = z.object({
	settings: z.array(SettingInForce).meta({ description: "Every setting, by name." }),
	disk: z
		.object({
			takes_writes: z.boolean().meta({ description: "Whether files can be written." }),
			free_bytes: z.int().min(0).meta({ description: "Bytes that are free." }),
			total_bytes: z.int().min(0).meta({ description: "Bytes in all." }),
		})
		.nullable()
		.meta({ description: "The disk of the server's data directory." }),
});
export type ServerFacts = z.infer<typeof ServerFacts>;

const domains = z.int().min(0).meta({ description: "Domains whose new videos are stored there." });

/** The installation, as the server that answers sees it. */
export const System = z.object({
	taken_at: Timestamp.meta({ description: "When this was read." }),
	version: z.string().meta({ description: "The server's version." }),
	started_at: Timestamp.meta({ description: "When the server that answers started." }),
	base_url: z.string().meta({ description: "The API's base address." }),
	database: z
		.object({
			version: z.string().meta({ description: "PostgreSQL's version." }),
			migrations: z.int().min(0).meta({ description: "How many migrations were applied." }),
			last_migration: z.string().meta({ description: "The name of the last one." }),
			clock_ahead_milliseconds: z
				.number()
				.meta({ description: "How far the server's clock is ahead of the database's." }),
			size_bytes: z.int().min(0).meta({ description: "Bytes." }),
		})
		.meta({ description: "The database." }),
	storage: z
		.object({
			local: z
				.object({
					domains,
					is_own: z.boolean().nullable().meta({
						description: "Whether the disk is the one that the installation's files lie in; null before its first use.",
					}),
				})
				.meta({ description: "The server's own disk." }),
			locations: z.array(AdminStorageLocation.extend({ domains })).meta({ description: "The platform's locations." }),
			failing_buckets: z
				.array(
					z.object({
						domain_id: Id,
						domain_slug: z.string().meta({ description: "The domain whose bucket it is." }),
						bucket: z.string().meta({ description: "The bucket's name." }),
						is_current: z.boolean().meta({ description: "Whether the domain's new videos are stored there." }),
						last_error: z.string().meta({ description: "What went wrong." }),
						last_verified_at: Timestamp.nullable().meta({
							description: "When it was last used without an error; null if it never was.",
						}),
					}),
				)
				.meta({ description: "Tenants' buckets whose last use failed: at most 100." }),
		})
		.meta({ description: "Where files lie." }),
	server: ServerFacts.nullable().meta({ description: "Null if the program that serves says nothing of itself." }),
});
export type System = z.infer<typeof System>;

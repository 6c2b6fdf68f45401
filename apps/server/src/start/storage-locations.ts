import { readFile } from "node:fs/promises";
import type { PlatformLocation } from "@reelmill/engine";
import { StartError } from "@reelmill/settings";
import { s3Bucket } from "@reelmill/storage-s3";
import * as z from "zod";

const setting = "REELMILL_STORAGE_LOCATIONS";
const http = z.url({ protocol: /^https?$/, error: "must be an http:// or https:// address" });

const Location = z.strictObject({
	id: z.string().min(1).max(64),
	name: z.string().min(1),
	region: z.string().max(64).default(""),
	endpoint: http.optional(),
	/** The address by which workers and the tenants' own programs reach the storage, if it is another one. */
	public_endpoint: http.optional(),
	bucket: z.string().min(1).max(255),
	key_prefix: z
		.string()
		.max(128)
		.regex(
			/^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/,
			"must be parts of letters, digits, dots, hyphens and underscores, with slashes between them",
		)
		.optional(),
	force_path_style: z.boolean().optional(),
	access_key_id: z.string().min(1).max(128),
	secret_access_key: z.string().min(1).max(256),
	public_base_url: z
		.url({ protocol: /^https$/, error: "must be an https:// address" })
		.max(500)
		.optional(),
});

const Locations = z
	.array(Location)
	.refine((all) => new Set(all.map(({ id }) => id)).size === all.length, { message: "names an id twice" })
	.refine((all) => all.every(({ endpoint, region }) => endpoint !== undefined || region !== ""), {
		message: "has a location with neither endpoint nor region",
	});

/**
 * Reads the platform's storage locations from a JSON file.
 *
 * @throws {StartError} when the file can't be read or a field is wrong. The message names file and field, but no value,
 * because some values are secrets.
 */
export async function readStorageLocations(path: string): Promise<PlatformLocation[]> {
	const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
		throw new StartError(`${setting}: ${path} can't be read (${cause.code}).`, { cause });
	});
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch {
		throw new StartError(`${setting}: ${path} is not JSON.`);
	}
	const { success, data, error } = Locations.safeParse(json);
	if (!success) {
		const { path: field = [], message } = error.issues[0] ?? { message: "is not of its form" };
		throw new StartError(`${setting}: ${path}: ${field.length > 0 ? `${field.join(".")}: ` : ""}${message}.`);
	}
	return data.map(({ id, name, region, public_base_url, ...bucket }) => ({
		id,
		name,
		region,
		bucket: s3Bucket({
			owner: "platform",
			endpoint: bucket.endpoint ?? null,
			publicEndpoint: bucket.public_endpoint ?? null,
			region,
			bucket: bucket.bucket,
			keyPrefix: bucket.key_prefix ?? "",
			forcePathStyle: bucket.force_path_style ?? bucket.endpoint !== undefined,
			accessKeyId: bucket.access_key_id,
			secretAccessKey: bucket.secret_access_key,
		}),
		...(public_base_url !== undefined && { publicBaseUrl: public_base_url }),
	}));
}

/**
 * Checks that the location for new domains is one of the platform's.
 *
 * @throws {StartError} when it isn't.
 */
export function checkStorageDefault(id: string | undefined, locations: readonly PlatformLocation[]): void {
	if (id === undefined || locations.some((location) => location.id === id)) return;
	const known = locations.length > 0 ? locations.map((location) => location.id).join(", ") : "no location";
	throw new StartError(
		`REELMILL_STORAGE_DEFAULT is ${id}, which is no location of REELMILL_STORAGE_LOCATIONS; that names ${known}.`,
	);
}

import {
	type AdminStorageLocationList,
	isReelmillError,
	ReelmillError,
	type StorageLocationList,
	type StoragePlaceList,
	type StorageProfile,
	type StorageVerification,
	type StorageView,
} from "@reelmill/contracts";
import sql from "sql-template-tag";
import { type Actor, engineActor } from "../audit/index.ts";
import { createBriefCache } from "../caches/index.ts";
import type { Sealer } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import { type Choice, readChoice } from "./profiles/choice.ts";
import type { PlatformLocation } from "./profiles/locations.ts";
import { createPlaces } from "./profiles/places.ts";
import { bucketOf, openSecret, tenantBucket } from "./profiles/profile.ts";
import type { Profiles, Saving } from "./profiles/profiles.ts";
import { countUnpublished } from "./profiles/unpublished.ts";
import { viewStorage } from "./profiles/view.ts";
import type { Health } from "./stores/health.ts";
import { adviceFor } from "./verification/advice.ts";
import type { NoteProbes } from "./verification/probes.ts";
import type { Verify } from "./verification/verify.ts";
import { adviceOn } from "./verification/warning-advice.ts";

/** Where a domain's new videos are stored. Existing videos stay where they were initiated. */
export type Storage = {
	/** Lists the platform's locations that may be chosen. */
	locations(): Promise<StorageLocationList>;
	/** Lists them for their operator, with what tells whether they work. */
	locationsForOperator(): Promise<AdminStorageLocationList>;
	/** Returns the domain's current profile. */
	get(domainId: string): Promise<StorageView>;
	/** Lists where the domain's videos lie, the current place first. Counts are at most 30 s old. */
	places(domainId: string): Promise<StoragePlaceList>;
	/**
	 * Verifies the profile, then makes it the domain's current one and returns it. Another bucket, endpoint, region or
	 * location raises the version. If the domain had the bucket before, its old videos get the new key, path style and
	 * public address too. Of two calls at once, one comes after the other.
	 *
	 * @throws {ReelmillError} as `verify` does; then nothing has changed.
	 */
	put(domainId: string, profile: StorageProfile, by?: Actor): Promise<StorageView>;
	/** Reverts to the local disk. Nothing is copied or deleted. Idempotent. */
	delete(domainId: string, by?: Actor): Promise<StorageView>;
	/**
	 * Writes, reads, fetches by presigned URL and deletes a probe object, and saves nothing. The key may be left out for
	 * a bucket that the domain has or had: then the key that it was last given is used. The warnings say what those
	 * without a key may read, or may not read although they should.
	 *
	 * @throws {ReelmillError} `validation_error`, naming the field; `storage_verification_failed`, with the `step` that
	 * failed; `storage_unavailable` when a platform's location fails.
	 */
	verify(domainId: string, profile: StorageProfile): Promise<StorageVerification>;
};

/** The domains' storage, and whether a profile works: see `StorageNoun.works`. */
type DomainStorage = Storage & { works(profileId: string): Promise<boolean> };

const triedMilliseconds = 2000;

export function createDomainStorage(
	parts: Parts,
	{
		profiles,
		health,
		verify,
		noteProbes,
		locations,
		sealer,
		hasBuckets,
	}: {
		profiles: Profiles;
		health: Health;
		verify: Verify;
		noteProbes: NoteProbes;
		locations: readonly PlatformLocation[];
		sealer: Sealer;
		hasBuckets: boolean;
	},
): DomainStorage {
	const { database, clock } = parts;
	const places = createPlaces(parts);
	const tried = createBriefCache<boolean>({ clock, max: 1000, milliseconds: triedMilliseconds });

	const prove = async (
		domainId: string,
		choice: Choice,
		looks = false,
	): Promise<{ verification: StorageVerification; saving: Saving | null }> => {
		if (choice.backend === "local") {
			await noteProbes(null);
			return { verification: await verify.local(), saving: null };
		}
		await noteOfCurrent(domainId);
		const publicBaseUrl =
			(choice.backend === "s3_platform" ? choice.location.publicBaseUrl : choice.public_base_url) ?? null;
		const looking = looks ? { publicBaseUrl } : undefined;
		if (choice.backend === "s3_platform")
			return { verification: await verify.bucket(choice.location.bucket, choice.location.id, looking), saving: choice };
		const { key, ...place } = choice;
		const stored = key === null ? await profiles.keyOf(domainId, choice) : null;
		const proven = key ?? (stored && { id: stored.access_key_id, secret: openSecret(stored.secret, sealer) });
		if (proven === null)
			throw new ReelmillError("validation_error", {
				message: "access_key_id: is required for a bucket that the domain never had.",
			});
		const verification = await verify.bucket(tenantBucket(choice, proven), null, looking);
		return {
			verification,
			saving: { ...place, access_key_id: key?.id ?? null, secret: key && sealer.seal(key.secret) },
		};
	};
	const noteOfCurrent = async (domainId: string): Promise<void> => {
		const id = (await profiles.current(domainId))?.row?.id;
		if (id !== undefined) await noteProbes(id);
	};
	const get = async (domainId: string): Promise<StorageView> =>
		viewStorage(
			(await profiles.current(domainId)) ?? gone(),
			locations,
			await countUnpublished(database, locations, domainId),
		);
	const choose = async (domainId: string, saving: Saving | null, by: Actor): Promise<StorageView> => {
		if (!(await profiles.choose(domainId, saving, by))) gone();
		tried.forgetAll();
		places.forget(domainId);
		// An earlier try of the same place may have been interrupted while there was no profile yet to look for its probes
		// by.
		if (saving !== null) await noteOfCurrent(domainId);
		return get(domainId);
	};

	return {
		get,
		places: places.list,
		verify: (domainId, profile) =>
			advised(profile, async () => {
				const { verification } = await prove(domainId, readChoice(profile, locations, hasBuckets), true);
				return { ...verification, advice: adviceOn(verification.warnings, profile) };
			}),
		put: (domainId, profile, by = engineActor) =>
			advised(profile, async () =>
				choose(domainId, (await prove(domainId, readChoice(profile, locations, hasBuckets))).saving, by),
			),
		delete: (domainId, by = engineActor) => choose(domainId, null, by),
		works: (profileId) =>
			tried.get(profileId, async () => {
				const row = await profiles.find(profileId);
				if (row === null) return false;
				await noteProbes(profileId);
				try {
					await verify.bucket(bucketOf(row, { locations, sealer }), row.location_id);
				} catch {
					return false;
				}
				await health.works(row);
				return true;
			}),
		locations: async () => ({ data: locations.map(({ id, name, region }) => ({ id, name, region })) }),
		async locationsForOperator() {
			const states = await database.query<{
				location_id: string;
				last_error: string | null;
				last_verified_at: Date | null;
			}>(sql`
				select location_id, (array_agg(last_error) filter (where last_error is not null))[1] as last_error, max(last_verified_at) as last_verified_at
				from reelmill.storage_profiles where location_id is not null group by location_id`);
			return {
				data: locations.map(({ id, name, region, bucket, publicBaseUrl }) => {
					const state = states.find(({ location_id }) => location_id === id);
					return {
						id,
						name,
						region,
						endpoint: bucket.endpoint,
						bucket: bucket.bucket,
						public_base_url: publicBaseUrl ?? null,
						last_error: state?.last_error ?? null,
						last_verified_at: state?.last_verified_at?.toISOString() ?? null,
					};
				}),
			};
		},
	};
}

/** Adds to the error of a round trip what its storage's owner can do about it. */
async function advised<T>(profile: StorageProfile, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!isReelmillError(error, "storage_verification_failed")) throw error;
		const { message, extras } = error;
		throw new ReelmillError("storage_verification_failed", {
			message,
			extras: { ...extras, advice: adviceFor(profile, { step: extras.step, message }) },
			cause: error.cause,
		});
	}
}

function gone(): never {
	throw new ReelmillError("unauthorized");
}

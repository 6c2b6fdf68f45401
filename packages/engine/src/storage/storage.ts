import { ReelmillError, type StorageLocationList, type StorageProfile, type StorageVerification, type StorageView } from "@reelmill/contracts";
import type { Clock, ObjectStorage, Random } from "../ports/index.ts";

/** Where a domain's new videos are stored. This installation knows the local disk alone. */
export type Storage = {
	/** Platform locations that may be chosen. */
	locations(): Promise<StorageLocationList>;
	/** The profile in force. */
	get(): Promise<StorageView>;
	/** Verifies the profile, then makes it the one in force. Throws as `verify` does; then nothing has changed. */
	put(profile: StorageProfile): Promise<StorageView>;
	/** Reverts to the local disk. Nothing is copied or deleted. Done twice is fine. */
	delete(): Promise<StorageView>;
	/** Writes, reads and deletes a probe object. Throws `validation_error` naming the field, and `storage_verification_failed` with the `step` that failed. */
	verify(profile: StorageProfile): Promise<StorageVerification>;
};

type Step = "write" | "read" | "delete";

const localView: StorageView = {
	backend: "local",
	location_id: null,
	endpoint: null,
	region: null,
	bucket: null,
	key_prefix: null,
	force_path_style: null,
	access_key_id_last4: null,
	public_base_url: null,
	version: 1,
	last_error: null,
	last_verified_at: null,
};

export function createStorage({ outputs, clock, random }: { outputs: ObjectStorage; clock: Clock; random: Random }): Storage {
	const verify: Storage["verify"] = async (profile) => {
		checkProfile(profile);
		const key = `probe/${random.uuid()}`;
		const probe = random.bytes(64);
		const steps: Record<Step, () => Promise<void>> = {
			async write() {
				await outputs.put(key, once(probe));
			},
			async read() {
				const found = await outputs.get(key);
				const parts: Uint8Array[] = [];
				for await (const part of found?.bytes ?? []) parts.push(part);
				if (!Buffer.concat(parts).equals(probe)) throw new Error("what was read is not what was written");
			},
			delete: () => outputs.delete(key),
		};
		const done: Step[] = [];
		for (const [step, run] of Object.entries(steps) as [Step, () => Promise<void>][]) {
			await run().catch(async (cause: unknown) => {
				await outputs.delete(key).catch(() => undefined);
				throw new ReelmillError("storage_verification_failed", { message: `The storage failed to ${step} a probe object.`, extras: { step }, cause });
			});
			done.push(step);
		}
		return { verified_at: new Date(clock.now()).toISOString(), steps: done };
	};

	return {
		verify,
		locations: async () => ({ data: [] }),
		get: async () => localView,
		async put(profile) {
			await verify(profile);
			return localView;
		},
		delete: async () => localView,
	};
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

function checkProfile({ backend, ...rest }: StorageProfile): void {
	if (backend !== "local") throw new ReelmillError("validation_error", { message: `backend: this server stores on its local disk only, not on ${backend}.` });
	const stray = Object.entries(rest).find(([, value]) => value !== undefined);
	if (stray) throw new ReelmillError("validation_error", { message: `${stray[0]}: does not belong to the backend local.` });
}

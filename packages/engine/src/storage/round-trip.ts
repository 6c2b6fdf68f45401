import type { StorageVerification } from "@reelmill/contracts";
import { type ByteStores, type Bytes, isStorageError, type Random } from "../ports/index.ts";

export type Step = StorageVerification["steps"][number];

/** A step of the round trip failed. The message is for the storage's owner. */
export class RoundTripError extends Error {
	override readonly name = "RoundTripError";
	readonly step: Step;
	constructor(step: Step, message: string, cause: unknown) {
		super(message, { cause });
		this.step = step;
	}
}

const probeBytes = 64;
const presignedSeconds = 60;
const said: Record<Step, string> = {
	connect: "The storage can't be reached",
	write: "The storage failed to write a probe object",
	read: "The storage failed to read back a probe object",
	presign: "The storage failed to answer a presigned URL",
	delete: "The storage failed to list and delete a probe object",
};

/**
 * Proves that stores do all that is asked of them, with a probe among the outputs and one among the uploads, and answers the steps that were done:
 * what they aren't capable of is left out. Rejects with a RoundTripError. The probes are removed whatever came, as far as the storage lets them.
 */
export async function roundTrip(
	{ uploads, outputs }: ByteStores,
	{ random, follow }: { random: Random; follow?: (url: string) => Promise<Uint8Array> },
): Promise<Step[]> {
	const id = random.uuid();
	const prefix = `probe/${id}/`;
	const key = `${prefix}object`;
	const probe = random.bytes(probeBytes);
	const check = (found: Uint8Array): void => {
		if (!Buffer.from(found).equals(probe)) throw new Mismatch("what was read is not what was written");
	};

	const steps: Partial<Record<Step, () => Promise<unknown>>> = {
		async write() {
			await outputs.put(key, once(probe));
			await uploads.create(id);
			await uploads.append(id, 0, once(probe), { limit: probeBytes });
		},
		async read() {
			const sizes = [(await outputs.head(key))?.size, await uploads.size(id)];
			if (sizes.some((size) => size !== probeBytes)) throw new Mismatch("what was written isn't there");
			if (outputs.capabilities.download) check(await whole(await outputs.get(key)));
			if (uploads.capabilities.download) check(await whole(await uploads.read(id)));
		},
		...((outputs.capabilities.presign || uploads.capabilities.presign) &&
			follow && {
				async presign() {
					if (outputs.capabilities.presign) check(await follow(await outputs.presign(key, { method: "GET", seconds: presignedSeconds })));
					if (uploads.capabilities.presign) check(await follow(await uploads.presign(id, { seconds: presignedSeconds })));
				},
			}),
		async delete() {
			await outputs.deletePrefix(prefix);
			await uploads.discard(id);
			if ((await outputs.head(key)) !== null) throw new Mismatch("what was deleted is still there");
		},
	};

	const done: Step[] = [];
	try {
		for (const [step, run] of Object.entries(steps) as [Step, () => Promise<unknown>][]) {
			await run().catch((cause: unknown) => {
				throw failure(done.length === 0 && isStorageError(cause) && cause.fault === "unreachable" ? "connect" : step, cause);
			});
			done.push(step);
		}
	} catch (error) {
		await Promise.allSettled([outputs.delete(key), uploads.discard(id)]);
		throw error;
	}
	return done;
}

class Mismatch extends Error {}

/** Only what adapters say for the storage's owner is told; anything else might name what is not the owner's to know. */
function failure(step: Step, cause: unknown): RoundTripError {
	const reason = isStorageError(cause) || cause instanceof Mismatch ? `: ${cause.message}` : ".";
	return new RoundTripError(step, `${said[step]}${reason}`, cause);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

async function whole(found: { readonly bytes: Bytes } | null): Promise<Uint8Array> {
	const parts: Uint8Array[] = [];
	for await (const part of found?.bytes ?? []) parts.push(part);
	return Buffer.concat(parts);
}

import { type StorageCheck, type StorageVerification, storageSteps } from "@reelmill/contracts";
import {
	type ByteStores,
	type Bytes,
	type Clock,
	isStorageError,
	type Random,
	type StorageCapabilities,
} from "../../ports/index.ts";
import { within } from "../../system/index.ts";
import type { Follow, Probe } from "./access-warnings.ts";
import { nameProbe, removeProbes } from "./probes.ts";

export type Step = StorageVerification["steps"][number];

/** A step of the round trip failed. The message is for the storage's owner. */
export class RoundTripError extends Error {
	override readonly name = "RoundTripError";
	readonly step: Step;
	/** Every step, with how it went. */
	readonly checks: StorageCheck[];
	constructor(step: Step, message: string, cause: unknown, checks: StorageCheck[] = checksOf(new Map(), step)) {
		super(message, { cause });
		this.step = step;
		this.checks = checks;
	}
}

const probeBytes = 64;
const presignedSeconds = 60;
/** A storage that can't be reached isn't waited for a second time. */
const removalMilliseconds = 2000;
const said: Record<Step, string> = {
	connect: "The storage can't be reached",
	write: "The storage failed to write a probe object",
	read: "The storage failed to read back a probe object",
	presign: "The storage failed to answer a presigned URL",
	delete: "The storage failed to list and delete a probe object",
};

/**
 * Proves that stores do all that is asked of them, with one probe among the outputs and one among the uploads, and
 * returns the steps that were done, with their times. Steps that the stores aren't capable of are left out. Whatever
 * happens, it removes the probes as far as the storage permits, and those of earlier round trips that were interrupted.
 * It calls `look`, which never rejects, while both probes exist.
 *
 * @throws {RoundTripError} when a step fails.
 */
export async function roundTrip(
	{ uploads, outputs }: ByteStores,
	{
		clock,
		random,
		follow,
		look,
	}: { clock: Clock; random: Random; follow?: Follow; look?: (probe: Probe) => Promise<void> },
): Promise<{ steps: Step[]; checks: StorageCheck[] }> {
	const id = random.uuid();
	const { key } = nameProbe(clock, id);
	const probe = random.bytes(probeBytes);
	const check = (found: Uint8Array): void => {
		if (!Buffer.from(found).equals(probe)) throw new Mismatch("what was read is not what was written");
	};

	let isUploading = false;
	const tasks: (readonly [Step, () => Promise<unknown>])[] = [
		["write", () => outputs.put(key, once(probe))],
		[
			"read",
			async () => {
				if ((await outputs.head(key))?.size !== probeBytes) throw new Mismatch("what was written isn't there");
				if (outputs.capabilities.download) check(await whole(await outputs.get(key)));
			},
		],
		...addressed(outputs.capabilities, follow, async (fetch) =>
			check(await fetch(await outputs.presign(key, { method: "GET", seconds: presignedSeconds }))),
		),
		// The uploads come after the outputs because an upload reads what it wrote: if reading is refused, that is what is
		// reported.
		[
			"write",
			async () => {
				isUploading = true;
				await uploads.create(id);
				await uploads.append(id, 0, once(probe), { limit: probeBytes });
			},
		],
		[
			"read",
			async () => {
				if ((await uploads.size(id)) !== probeBytes) throw new Mismatch("what was written isn't there");
				if (uploads.capabilities.download) check(await whole(await uploads.read(id)));
			},
		],
		...addressed(uploads.capabilities, follow, async (fetch) =>
			check(await fetch(await uploads.presign(id, { seconds: presignedSeconds }))),
		),
		[
			"delete",
			async () => {
				await removeProbes({ uploads, outputs }, clock, id);
				if ((await outputs.head(key)) !== null) throw new Mismatch("what was deleted is still there");
			},
		],
	];

	const asked = tasks.map(([step]) => step);
	const done = new Map<Step, number>();
	try {
		for (const [step, run] of tasks) {
			if (step === "delete") await look?.({ key, uploadId: id, bytes: probe });
			const startedAt = clock.elapsed();
			const took = (): number => Math.round((done.get(step) ?? 0) + clock.elapsed() - startedAt);
			await run().catch((cause: unknown) => {
				const isLost = done.size === 0 && isStorageError(cause) && cause.fault === "unreachable";
				const failed = isLost ? "connect" : step;
				throw failure(failed, cause, checksOf(new Map(done).set(failed, took()), failed, asked));
			});
			done.set(step, took());
		}
	} catch (error) {
		const removal = async () => {
			if (isUploading) await uploads.discard(id);
			await outputs.delete(key);
		};
		const removed = removal().catch(() => undefined);
		await within(clock, removalMilliseconds, removed, () => undefined);
		throw error;
	}
	return { steps: [...done.keys()], checks: checksOf(done, null, asked) };
}

/** Returns how each step went. Of `failed` and those before it, `done` has the times in milliseconds. */
function checksOf(
	done: ReadonlyMap<Step, number>,
	failed: Step | null,
	asked: readonly Step[] = storageSteps,
): StorageCheck[] {
	return storageSteps
		.filter((step) => step === "connect" || asked.includes(step))
		.map((step) => {
			// Both outputs and uploads are written: the failed step may be one that passed for the outputs.
			const hasPassed = step !== failed && (done.has(step) || (step === "connect" && failed !== "connect"));
			return {
				step,
				state: step === failed ? "failed" : hasPassed ? "passed" : "not_reached",
				duration_ms: done.get(step) ?? 0,
			};
		});
}

const addressed = (
	{ presign }: StorageCapabilities,
	follow: Follow | undefined,
	run: (follow: Follow) => Promise<void>,
) => (presign && follow ? [["presign", () => run(follow)] as const] : []);

class Mismatch extends Error {}

/**
 * Only messages that adapters write for the storage's owner are shown; any other message might name what is not the
 * owner's to know.
 */
function failure(step: Step, cause: unknown, checks: StorageCheck[]): RoundTripError {
	const reason = isStorageError(cause) || cause instanceof Mismatch ? `: ${cause.message}` : ".";
	return new RoundTripError(step, `${said[step]}${reason}`, cause, checks);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

async function whole(found: { readonly bytes: Bytes } | null): Promise<Uint8Array> {
	const parts: Uint8Array[] = [];
	let left = probeBytes;
	for await (const part of found?.bytes ?? []) {
		left -= part.length;
		if (left < 0) throw new Mismatch("more was read than was written");
		parts.push(part);
	}
	return Buffer.concat(parts);
}

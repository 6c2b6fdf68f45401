import { isReelmillError } from "@reelmill/contracts";
import type { Parts } from "../system/index.ts";
import { type Discard, noteDiscard } from "../videos/index.ts";

/**
 * Removes what was stored of an archive that failed for `reason`. It resolves after a short wait at the latest; the
 * removal goes on by itself. It never rejects.
 */
export type DiscardArchive = (
	archive: { readonly prefix: string; readonly profileId: string | null },
	reason: unknown,
) => Promise<void>;

const removalMilliseconds = 2000;
/** The wait for a storage that fails: its caller has waited for it already. */
const noteMilliseconds = 500;

export function createDiscardArchive(
	{ database, clock, logger }: Parts,
	{
		reap,
		wait,
	}: {
		/** Deletes bytes if that is possible now; it never rejects. */
		reap: (discards: readonly Discard[], profileId: string | null) => Promise<void>;
		/** Runs work, and waits for it at most so many milliseconds. */
		wait: (work: () => Promise<void>, milliseconds: number) => Promise<void>;
	},
): DiscardArchive {
	return ({ prefix, profileId }, reason) => {
		const discard: Discard = { kind: "outputs", reference: prefix };
		// If the database failed, the archive may still have become the attempt's. A note would then delete files that are
		// served.
		const note = async () => {
			if (isReelmillError(reason)) await database.query(noteDiscard(discard, profileId, new Date(clock.now())));
		};
		const remove = async () => {
			await note().catch((error: unknown) =>
				logger.error({ error, prefix }, "what an archive left could not be noted"),
			);
			await reap([discard], profileId);
		};
		return wait(remove, isReelmillError(reason, "storage_unavailable") ? noteMilliseconds : removalMilliseconds);
	};
}

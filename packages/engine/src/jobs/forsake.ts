import { isReelmillError } from "@reelmill/contracts";
import type { Parts } from "../system/index.ts";
import { type Discard, noteDiscard } from "../videos/index.ts";

/**
 * Removes what was stored of an archive that came to nothing for `reason`. It is waited for, but not for long, and goes
 * on by itself; it never rejects.
 */
export type Forsake = (
	archive: { readonly prefix: string; readonly profileId: string | null },
	reason: unknown,
) => Promise<void>;

const removalMilliseconds = 2000;
/** For a storage that fails, and was waited for already. */
const noteMilliseconds = 500;

export function createForsake(
	{ database, clock, logger }: Parts,
	{
		reap,
		wait,
	}: {
		/** Deletes bytes as far as that works now; it never rejects. */
		reap: (discards: readonly Discard[], profileId: string | null) => Promise<void>;
		/** Waits for work that goes on by itself, for so many milliseconds. */
		wait: (work: () => Promise<void>, milliseconds: number) => Promise<void>;
	},
): Forsake {
	return ({ prefix, profileId }, reason) => {
		const discard: Discard = { kind: "outputs", reference: prefix };
		// Where a database fails the archive may have got its name all the same: what is noted then might be played once it
		// is deleted.
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

import type { Parts } from "../system/index.ts";
import type { MasterKeys } from "./master-keys.ts";
import { resealBatch } from "./reseal-batch.ts";
import type { Sealer } from "./seal.ts";
import { sealedColumns } from "./sealed-columns.ts";

export type ResealingState = {
	/** How many secrets are left under a previous key, by the last complete look, or so far by the first. */
	readonly secretsUnderPrevious: number;
	/**
	 * Whether a previous key may still be needed: by a secret, by a token that hasn't ended, by a server that signs with
	 * it, or because no server signs with it yet.
	 */
	readonly previousNeeded: boolean;
};

export type Resealing = {
	/**
	 * Looks at the next few secrets. Returns whether more are left in this look at all of them. After the last, it begins
	 * anew.
	 */
	work(): Promise<boolean>;
	/** Returns the state as this process knows it. */
	state(): ResealingState;
};

const batchSize = 100;
const firstId = "00000000-0000-0000-0000-000000000000";
/** A server notes each minute that it signs with its key, and may be late. */
const noteSlackMilliseconds = 180_000;

/**
 * Seals every secret under the current master key, and tells when the previous keys can go. It never stops looking:
 * while the keys change, another server may still seal under a previous one.
 */
export function createResealing(
	{ database, clock, logger }: Parts,
	{
		sealer,
		masterKeys,
		hasPrevious,
		longestTokenSeconds,
	}: {
		sealer: Sealer;
		masterKeys: MasterKeys;
		hasPrevious: boolean;
		/** How long a token is good that was signed just now. */
		longestTokenSeconds: number;
	},
): Resealing {
	const beginning = { column: 0, after: firstId, left: 0, sealed: 0, lost: 0 };
	let look = beginning;
	let state: ResealingState = { secretsUnderPrevious: 0, previousNeeded: hasPrevious };
	let lostBefore = 0;

	const isUseOver = async (): Promise<boolean> => {
		const uses = await masterKeys.previousUses();
		const endsAfter = longestTokenSeconds * 1000 + noteSlackMilliseconds;
		return uses.every((usedAt) => usedAt !== null && usedAt.getTime() + endsAfter <= clock.now());
	};
	const finish = async ({ left, sealed, lost }: typeof beginning): Promise<void> => {
		if (sealed > 0) logger.info({ secrets: sealed }, "secrets were sealed anew under the current master key");
		if (lost > 0 && lost !== lostBefore)
			logger.warn(
				{ secrets: lost },
				"secrets can't be opened by any master key that this server was given: name the key that they were sealed under",
			);
		lostBefore = lost;
		const previousNeeded = left > 0 || !(await isUseOver());
		if (state.previousNeeded && !previousNeeded)
			logger.warn(
				{},
				"nothing is left under the previous master keys, and no token of theirs is good any more: they can be taken out of the settings",
			);
		state = { secretsUnderPrevious: left, previousNeeded };
	};

	return {
		state: () => state,
		async work() {
			if (look === beginning) await masterKeys.noteUse();
			const column = sealedColumns[look.column];
			if (!hasPrevious || column === undefined) return false;
			const { next, found, keys, sealed, lost } = await resealBatch(column, look.after, {
				database,
				sealer,
				isNewest: masterKeys.isNewest,
				size: batchSize,
			});
			if (keys.length > 0) await masterKeys.noteFormer(keys.map((key) => key - 1));
			const position =
				next === null ? { column: look.column + 1, after: firstId } : { column: look.column, after: next };
			look = { ...position, left: look.left + found - sealed, sealed: look.sealed + sealed, lost: look.lost + lost };
			if (look.column < sealedColumns.length) {
				if (look.left > state.secretsUnderPrevious) state = { ...state, secretsUnderPrevious: look.left };
				return true;
			}
			const done = look;
			look = beginning;
			await finish(done);
			return false;
		},
	};
}

import sql from "sql-template-tag";
import type { Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import type { Uploads } from "../uploads/index.ts";
import type { AfterChange, VideoStore } from "../videos/index.ts";
import type { Windows } from "../windows.ts";
import type { Backoff } from "./backoff.ts";
import { createDuties } from "./duties.ts";
import { createExpiry } from "./expiry.ts";
import { createLoop, type Loop } from "./loop.ts";
import type { Pulse } from "./pulse.ts";
import type { Reaper } from "./reaper.ts";
import { type Chores, createSweeper, whenDue } from "./sweeper.ts";

/** What the engine does by itself, over all its nouns. */
export type Background = {
	/** Starts all loops. Calling it twice starts them once. */
	start(): void;
	/** Resolves when no loop runs any more. */
	stop(): Promise<void>;
	/** Sweeps once, now. What fails for one noun is logged. It rejects if the database fails in a sweep of buckets. */
	sweep(): Promise<void>;
	/** Does the chores soon, and removes soon what was withdrawn from viewers. */
	wake(): void;
	/** Deletes soon what is noted for deletion in buckets. */
	wakeBuckets(): void;
};

export type BackgroundOptions = {
	readonly store: VideoStore;
	readonly stores: Stores;
	readonly uploads: Uploads;
	readonly pulse: Pulse;
	/** Whether the local storage is the installation's; null if that is unknown. */
	readonly isOwnStorage: () => boolean | null;
	readonly reaper: Reaper;
	/** The buckets that the reaper leaves alone for now. */
	readonly backoff: Backoff;
	readonly windows: Pick<Windows, "sweep">;
	readonly chores: Chores;
	/** Their chores come after {@link BackgroundOptions.chores}, in this order. */
	readonly nouns: readonly { readonly chores: Chores }[];
	/** What each server has to do for itself with each sweep. It asks no database. */
	readonly ownChores: Chores;
	/** Work to be done once a minute, by name. A run that returns true is followed by another at once. */
	readonly minutely: { readonly [name: string]: () => Promise<boolean> };
	/** Further loops, to be started and stopped with those of the sweeps. */
	readonly loops: readonly Loop[];
	readonly afterChange: AfterChange;
};

/** The interval of looks for files that killed processes left. One that nobody wrote to for 5 min is gone after 10. */
const leftoverMilliseconds = 240_000;
/** Loops that the pulse wakes look by themselves this often, if a beat was missed. */
const unwokenMilliseconds = 60_000;
/** A server that dies keeps its duties for so many sweeps. */
const sweepsOfALease = 3;

export function createBackground(parts: Parts, options: BackgroundOptions): Background {
	const { logger } = parts;
	const { stores, reaper, chores, nouns, pulse } = options;
	const expiry = createExpiry(parts, options);
	const ofNouns: Chores = Object.assign({}, ...nouns.map((noun) => noun.chores));
	const sweepSeconds = options.windows.sweep;
	const duties = createDuties(parts, { seconds: Math.max(5, sweepsOfALease * sweepSeconds) });
	const sweepBuckets = () => Promise.all([expiry.sweepBuckets(), reaper.sweepBuckets()]);
	const sweeper = createSweeper(parts, {
		chores: {
			expireUploads: whenDue(expiry.isDue, expiry.sweep),
			...chores,
			...ofNouns,
			reap: whenDue(reaper.isDue, reaper.sweep),
			wakeBuckets: whenDue(
				() => sql`(${expiry.isDueInBuckets()} or ${reaper.isDueInBuckets()})`,
				async () => buckets.wake(),
			),
		},
		local: ["expireUploads", "reap"],
		ownChores: options.ownChores,
		duties,
		isOwnStorage: options.isOwnStorage,
	});
	const removeLeftovers = async () => (await stores.of(null)).outputs.removeLeftovers?.();

	const loop = (name: string, intervalMilliseconds: number, work: () => Promise<boolean>) =>
		createLoop(parts, { name, work, intervalMilliseconds });
	const sweeps = loop("sweeper", sweepSeconds * 1000, () => sweeper.sweepDue().then(() => false));
	const buckets = loop("buckets", unwokenMilliseconds, async () => (await sweepBuckets()).some((count) => count > 0));
	const withdrawals = loop("withdrawals", unwokenMilliseconds, async () => (await reaper.sweepWithdrawn()) > 0);
	// If the server was killed that withdrew a video, another one goes on.
	pulse.ask({ question: reaper.isWithdrawalDue, answered: (isTrue) => isTrue && withdrawals.wake() });
	const leftovers = loop("leftovers", leftoverMilliseconds, () => removeLeftovers().then(() => false));
	const minutely = Object.entries(options.minutely).map(([name, work]) => loop(name, 60_000, work));
	const loops = [...options.loops, ...minutely, sweeps, buckets, withdrawals, leftovers];

	return {
		start() {
			pulse.hold();
			for (const each of loops) each.start();
		},
		async stop() {
			await Promise.all([pulse.stop(), ...loops.map((each) => each.stop())]);
			await duties.release();
		},
		async sweep() {
			await sweeper.sweep();
			await Promise.all([sweepBuckets(), reaper.sweepWithdrawn()]);
			await removeLeftovers().catch((error: unknown) =>
				logger.error({ error }, "what killed processes left could not be removed yet"),
			);
		},
		wake() {
			for (const each of [sweeps, withdrawals]) each.wake();
		},
		wakeBuckets() {
			for (const each of [buckets, withdrawals]) each.wake();
		},
	};
}

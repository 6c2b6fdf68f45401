import type { Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import type { Uploads } from "../uploads/index.ts";
import type { AfterChange, VideoStore } from "../videos/index.ts";
import type { Windows } from "../windows.ts";
import type { Backoff } from "./backoff.ts";
import { createExpiry } from "./expiry.ts";
import { createLoop, type Loop } from "./loop.ts";
import type { Reaper } from "./reaper.ts";
import { type Chores, createSweeper } from "./sweeper.ts";

/** What the engine does by itself, over all its nouns. */
export type Background = {
	/** Starts all loops. Calling it twice starts them once. */
	start(): void;
	/** Resolves when no loop runs any more. */
	stop(): Promise<void>;
	/** Sweeps once, now. What fails for one noun is logged. It rejects if the database fails in a sweep of buckets. */
	sweep(): Promise<void>;
	/** Runs the loop of this name soon; without effect if there is none. */
	wakeLoop(name: string): void;
	/** Does the chores soon, and removes soon what was withdrawn from viewers. */
	wake(): void;
	/** Deletes soon what is noted for deletion in buckets. */
	wakeBuckets(): void;
};

export type BackgroundOptions = {
	readonly store: VideoStore;
	readonly stores: Stores;
	readonly uploads: Uploads;
	readonly reaper: Reaper;
	/** The buckets that the reaper leaves alone for now. */
	readonly backoff: Backoff;
	readonly windows: Pick<Windows, "sweep">;
	readonly chores: Chores;
	/** Their chores come after {@link BackgroundOptions.chores}, in this order. */
	readonly nouns: readonly { readonly chores: Chores }[];
	/** Work to be done once a minute, by name. A run that returns true is followed by another at once. */
	readonly minutely: { readonly [name: string]: () => Promise<boolean> };
	/** The names of `minutely` that each process needs for itself. */
	readonly everywhere: readonly string[];
	/** What this process does for itself as often as it would sweep, if the sweeps run elsewhere. */
	readonly ownChores: Chores;
	/** Further loops, to be started and stopped with those of the sweeps. */
	readonly loops: readonly Loop[];
	readonly afterChange: AfterChange;
};

/** The interval of looks for files that killed processes left. One that nobody wrote to for 5 min is gone after 10. */
const leftoverMilliseconds = 240_000;
/** How soon this server goes on if another one was killed that withdrew a video. */
const withdrawalPollMilliseconds = 2000;

export function createBackground(parts: Parts, options: BackgroundOptions): Background {
	const { logger } = parts;
	const { stores, reaper, chores, nouns, ownChores } = options;
	const expiry = createExpiry(parts, options);
	const ofNouns: Chores = Object.assign({}, ...nouns.map((noun) => noun.chores));
	const sweeper = createSweeper(parts, {
		chores: { expireUploads: expiry.sweep, ...chores, ...ofNouns, reap: reaper.sweep },
	});
	const sweepBuckets = () => Promise.all([expiry.sweepBuckets(), reaper.sweepBuckets()]);
	const removeLeftovers = async () => (await stores.of(null)).outputs.removeLeftovers?.();

	const loop = (name: string, intervalMilliseconds: number, work: () => Promise<boolean>) =>
		createLoop(parts, { name, work, intervalMilliseconds, everywhere: options.everywhere.includes(name) });
	const sweepMilliseconds = options.windows.sweep * 1000;
	const sweeps = loop("sweeper", sweepMilliseconds, () => sweeper.sweep().then(() => false));
	const buckets = loop("buckets", sweepMilliseconds, async () => (await sweepBuckets()).some((count) => count > 0));
	const withdrawals = loop("withdrawals", withdrawalPollMilliseconds, async () => (await reaper.sweepWithdrawn()) > 0);
	const leftovers = loop("leftovers", leftoverMilliseconds, () => removeLeftovers().then(() => false));
	const minutely = Object.entries(options.minutely).map(([name, work]) => loop(name, 60_000, work));
	const own = Object.entries(ownChores).map(([name, chore]) =>
		createLoop(parts, {
			name,
			work: () => chore().then(() => false),
			intervalMilliseconds: sweepMilliseconds,
			everywhere: true,
		}),
	);
	const loops = [...options.loops, ...minutely, ...own, sweeps, buckets, withdrawals, leftovers];

	return {
		start() {
			for (const each of loops) each.start();
		},
		async stop() {
			await Promise.all(loops.map((each) => each.stop()));
		},
		async sweep() {
			await sweeper.sweep();
			await Promise.all([sweepBuckets(), reaper.sweepWithdrawn()]);
			await removeLeftovers().catch((error: unknown) =>
				logger.error({ error }, "what killed processes left could not be removed yet"),
			);
		},
		wakeLoop(name) {
			for (const each of loops) if (each.name === name) each.wake();
		},
		wake() {
			for (const each of [sweeps, withdrawals]) each.wake();
		},
		wakeBuckets() {
			for (const each of [buckets, withdrawals]) each.wake();
		},
	};
}

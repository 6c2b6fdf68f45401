import { setTimeout as sleep } from "node:timers/promises";
import type { Told } from "./history/entries.ts";
import type { History } from "./history/history.ts";
import { type FaultKind, faultKinds } from "./plan/catalogue.ts";
import { planFaults } from "./plan/plan.ts";
import { createRandom } from "./plan/random.ts";
import { watchSessions } from "./world/database/sessions.ts";
import { createInject } from "./world/inject/index.ts";
import { type FinalState, readFinalState } from "./world/observe/final-state.ts";
import { watchRecovery } from "./world/observe/recovery.ts";
import { watchServing } from "./world/observe/serving.ts";
import { settle } from "./world/observe/settle.ts";
import type { Scale } from "./world/scale.ts";
import { openWorld, type World } from "./world/world.ts";

export type CampaignOptions = {
	readonly seed: number;
	/**
	 * The campaign ends after `minutes`, or earlier when each kind was tried once, each kind was done `each` times and
	 * `kills` processes were killed.
	 */
	readonly kills: number;
	readonly each: number;
	readonly minutes: number;
	/** The kinds of faults to do (default: all). A kind that this machine can't do is left out. */
	readonly only?: readonly FaultKind[] | undefined;
	readonly meanMilliseconds: number;
	readonly scale: Scale;
	/** The factor for every bound in time. */
	readonly patience: number;
	/** The program of the server that stands in for one that is replaced (default: the same sources). */
	readonly otherRelease?: string | undefined;
	/** The folder for the data of the run. */
	readonly directory: string;
	readonly history: History;
	readonly onProgress: (line: string) => void;
	/** Ends the faults early. */
	readonly signal?: AbortSignal;
};

const longestStart = 20_000;
const longestAlone = 20_000;

/**
 * Waits until PostgreSQL and one server run, for 20 s at most, times `patience`. Otherwise there is nothing to break: a
 * start takes its time on a busy machine.
 */
async function untilServing({ servers, postgres }: World, patience: number): Promise<void> {
	const until = Date.now() + longestStart * patience;
	while (
		!(postgres.isUp() && servers.some(({ process }) => process.isUp() && !process.isFrozen())) &&
		Date.now() < until
	)
		await sleep(20);
}

const steps: readonly string[] = [
	"initiated",
	"acknowledged",
	"claimed",
	"fetched",
	"completed",
	"served",
	"received",
] satisfies Told["kind"][];
const longestWait = 4000;

/**
 * Returns a function that waits until uploads, jobs or webhooks have made two more steps since its last call, for 4 s
 * at most. Faults that come faster than the work would find nothing to break.
 */
function watchProgress(history: History): () => Promise<void> {
	let count = 0;
	history.onEntry(({ kind }) => {
		if (steps.includes(kind)) count++;
	});
	let last = 0;
	return async () => {
		const until = Date.now() + longestWait;
		while (count < last + 2 && Date.now() < until) await sleep(20);
		last = count;
	};
}

/** The state at the end, and how often each kind of fault was done. */
export type Campaign = { readonly final: FinalState; readonly done: ReadonlyMap<FaultKind, number> };

/**
 * Runs the service while the faults of the seed's plan break it, waits until it is at rest, and returns the state at
 * the end.
 */
export async function runCampaign({
	seed,
	kills,
	each,
	only = faultKinds,
	minutes,
	meanMilliseconds,
	scale,
	patience,
	otherRelease,
	directory,
	history,
	onProgress,
	signal,
}: CampaignOptions): Promise<Campaign> {
	const random = createRandom(seed);
	const world = await openWorld({ directory, history, random, scale, patience, otherRelease });
	try {
		watchServing(world, history, patience);
		const stopCounting = watchSessions(world.postgres, history);
		const recovery = watchRecovery(world, history, patience);
		const inject = createInject(world, history);
		for (const [kind, why] of world.impossible) history.add({ kind: "noted", text: `${kind} is left out: ${why}` });
		const [firstKind, ...otherKinds] = only.filter((kind) => !world.impossible.has(kind));
		if (firstKind === undefined) throw new Error("Nothing of what was asked for can be done here.");
		const kinds = [firstKind, ...otherKinds] as const;
		const done = new Map<FaultKind, number>(kinds.map((kind) => [kind, 0]));
		let begun = 0;
		let killed = 0;
		history.onEntry(({ kind }) => {
			if (kind === "killed") killed++;
		});
		const untilProgress = watchProgress(history);
		const until = Date.now() + minutes * 60_000;
		const running = new Set<Promise<void>>();
		let toldAt = 0;
		for (const { afterMilliseconds, fault, isAlone } of planFaults(random.named("plan"), { meanMilliseconds, kinds })) {
			await sleep(afterMilliseconds);
			await untilServing(world, patience);
			await untilProgress();
			const isEnough = killed >= kills && begun >= kinds.length && [...done.values()].every((times) => times >= each);
			if (isEnough || Date.now() > until || signal?.aborted) break;
			begun++;
			const injecting: Promise<void> = inject(fault)
				.then((wasDone) => {
					if (!wasDone) return;
					done.set(fault.kind, (done.get(fault.kind) ?? 0) + 1);
					return recovery.watch(fault);
				})
				.finally(() => running.delete(injecting));
			running.add(injecting);
			if (isAlone) await Promise.race([injecting, sleep(longestAlone * patience)]);
			if (killed - toldAt >= Math.max(10, kills / 50)) {
				toldAt = killed;
				onProgress(
					`${killed} of ${kills} kills, ${world.uploaders.begun} uploads begun, ${history.entries.length} entries`,
				);
			}
		}
		await Promise.all(running);
		stopCounting();
		onProgress(`${killed} kills; now everything is left alone until it has come to rest`);
		await settle(world, history);
		await world.postgres.whole();
		const places = { directory: world.disk.directory, bucket: world.storage.bucket };
		return {
			final: await readFinalState(world.postgres.database, { ...places, differences: await world.differences() }),
			done,
		};
	} finally {
		await world.close();
	}
}

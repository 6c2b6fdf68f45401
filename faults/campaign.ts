import { setTimeout as sleep } from "node:timers/promises";
import type { Told } from "./history/entries.ts";
import type { History } from "./history/history.ts";
import { type FaultKind, planFaults } from "./plan/plan.ts";
import { createRandom } from "./plan/random.ts";
import { type Final, readFinal } from "./world/final.ts";
import { createInject } from "./world/inject.ts";
import { watchServing } from "./world/probe.ts";
import { settle } from "./world/settle.ts";
import { openWorld, type Scale, type World } from "./world/world.ts";

export type CampaignOptions = {
	readonly seed: number;
	/** Ends when so many processes were killed, or after so many minutes. */
	readonly kills: number;
	readonly minutes: number;
	readonly meanMilliseconds: number;
	readonly scale: Scale;
	/** Everyone waits so many times as long. */
	readonly patience: number;
	/** For the data of the run. */
	readonly directory: string;
	readonly history: History;
	readonly onProgress: (line: string) => void;
	/** Ends the breaking early. */
	readonly signal?: AbortSignal;
};

const longestBreath = 20_000;

/** Until one server can do something, so that there is something to break: starts take their time on a busy machine. 20 s at most. */
async function breathe({ servers, postgres }: World): Promise<void> {
	const until = Date.now() + longestBreath;
	while (!(postgres.isUp() && servers.some(({ process }) => process.isUp() && !process.isFrozen())) && Date.now() < until) await sleep(20);
}

const steps: readonly string[] = ["initiated", "acknowledged", "claimed", "fetched", "completed", "served", "received"] satisfies Told["kind"][];
const longestWait = 4000;

/** A wait until uploads, jobs or webhooks have come two steps further since the last one, 4 s at most: what breaks more often than anything is done breaks nothing. */
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

/** Runs the service while it is broken by the plan of the seed, lets it come to rest, and answers what is there then. */
export async function runCampaign({
	seed,
	kills,
	minutes,
	meanMilliseconds,
	scale,
	patience,
	directory,
	history,
	onProgress,
	signal,
}: CampaignOptions): Promise<Final> {
	const random = createRandom(seed);
	const world = await openWorld({ directory, history, random, scale, patience });
	try {
		watchServing(world, history, patience);
		const inject = createInject(world, history);
		const without: FaultKind[] = world.disk.canBeFilled ? [] : ["fill-disk"];
		if (without.length > 0) history.add({ kind: "noted", text: "not root: no file system of its own, so the disk is never full" });
		let killed = 0;
		history.onEntry(({ kind }) => {
			if (kind === "killed") killed++;
		});
		const hasGoneOn = watchProgress(history);
		const until = Date.now() + minutes * 60_000;
		const running = new Set<Promise<void>>();
		let toldAt = 0;
		for (const { afterMilliseconds, fault } of planFaults(random.named("plan"), { meanMilliseconds, without })) {
			await sleep(afterMilliseconds);
			await breathe(world);
			await hasGoneOn();
			if (killed >= kills || Date.now() > until || signal?.aborted) break;
			const injecting: Promise<void> = inject(fault).finally(() => running.delete(injecting));
			running.add(injecting);
			if (killed - toldAt >= Math.max(10, kills / 50)) {
				toldAt = killed;
				onProgress(`${killed} of ${kills} kills, ${world.uploaders.begun} uploads begun, ${history.entries.length} entries`);
			}
		}
		await Promise.all(running);
		onProgress(`${killed} kills; now everything is left alone until it has come to rest`);
		await settle(world, history);
		return await readFinal(world.postgres.database, { directory: world.disk.directory, bucket: world.storage.bucket });
	} finally {
		await world.close();
	}
}

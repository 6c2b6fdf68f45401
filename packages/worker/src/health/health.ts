import type { WorkerFault } from "@reelmill/contracts";
import type { Logger } from "@reelmill/media";
import type { Sleep } from "../retry.ts";
import { type OwnFault, ownFaultOf } from "./own-fault.ts";

/** Whether a worker is well, as far as it knows. */
export type Health = {
	/**
	 * Notes how an attempt ended: by a fault of the worker itself, or with `null` by what proves that the worker can work.
	 */
	note(fault: OwnFault | null): void;
	/**
	 * Resolves when the worker may claim a job: at once, or, after two faults in a row, when it has looked at itself and
	 * found nothing wrong. It looks again and again until then. Resolves as well when `stopping` aborts. All who ask
	 * meanwhile wait for the same look.
	 */
	ready(stopping: AbortSignal): Promise<void>;
	/** Returns what is wrong with the worker; `null` if nothing is. */
	illness(): OwnFault | null;
};

export type HealthOptions = {
	/** Looks at the worker, and at these buckets. Rejects with what is wrong. */
	readonly check: (buckets: Iterable<string>, signal: AbortSignal) => Promise<void>;
	/** Tells the service what is wrong. */
	readonly tell: (fault: WorkerFault, signal: AbortSignal) => Promise<void>;
	readonly logger: Logger;
	readonly wait: Sleep;
	/**
	 * Ends a worker that is to end as soon as it is ill. It then looks at itself before its first job, and only once.
	 * Default: it looks again until it is well.
	 */
	readonly end?: (fault: OwnFault) => void;
};

/** After so many faults of its own in a row, a worker looks at itself. */
const faultsInRow = 2;
/** The first pause between two looks. It doubles up to the longest one, in which the service still counts it present. */
const [firstPause, longestPause] = [5000, 60_000];

export function createHealth({ check, tell, logger, wait, end }: HealthOptions): Health {
	let faults = end === undefined ? 0 : faultsInRow;
	let illness: OwnFault | null = null;
	let looking: Promise<void> | null = null;
	const buckets = new Set<string>();

	/** Returns what is wrong; `null` if nothing is, or if the worker stops. */
	const look = async (stopping: AbortSignal): Promise<OwnFault | null> => {
		try {
			await check(buckets, stopping);
			return null;
		} catch (error) {
			if (stopping.aborted) return null;
			return ownFaultOf(error) ?? { code: "program_unusable", message: String(error) };
		}
	};
	const untilWell = async (stopping: AbortSignal): Promise<void> => {
		for (let pause = firstPause; !stopping.aborted; pause = Math.min(longestPause, pause * 2)) {
			const found = await look(stopping);
			if (found === null) break;
			if (found.code !== illness?.code)
				logger.error(
					{ fault: found.code, cause: found.message },
					`this worker is ill (${found.code}): it claims no jobs ${end === undefined ? "until it finds itself well" : "and ends"}`,
				);
			illness = found;
			// That it can't be told changes nothing: no job is claimed.
			await tell(found.code, stopping).catch(() => undefined);
			if (end !== undefined) return end(found);
			await wait(pause, stopping);
		}
		if (stopping.aborted) return;
		if (illness !== null) logger.info({ fault: illness.code }, "this worker is well again, and claims jobs");
		illness = null;
		faults = 0;
		buckets.clear();
	};
	return {
		illness: () => illness,
		note(fault) {
			faults = fault === null ? 0 : faults + 1;
			if (fault?.bucket !== undefined) buckets.add(fault.bucket);
		},
		async ready(stopping) {
			if (faults < faultsInRow) return;
			looking ??= untilWell(stopping).finally(() => {
				looking = null;
			});
			await looking;
		},
	};
}

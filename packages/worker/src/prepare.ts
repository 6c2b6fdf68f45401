import { mkdir } from "node:fs/promises";
import { checkConfinement } from "@reelmill/media";
import type { Trouble } from "./claim-loop.ts";
import { backoff, type Sleep } from "./retry.ts";
import type { WorkDirectory } from "./work-directory/work-directory.ts";
import type { WorkerOptions } from "./worker-options.ts";

export type Preparation = {
	readonly options: Pick<WorkerOptions, "workDirectory" | "tools" | "logger" | "onConfinement">;
	readonly workDirectory: WorkDirectory;
	readonly wait: Sleep;
	readonly trouble: Trouble;
	readonly stopping: AbortSignal;
	/** Called with each failure. If it aborts `stopping`, there is no further try. */
	readonly onFailure: (error: unknown) => void;
};

/**
 * Makes and tidies the work directory and checks ffmpeg's confinement; tries until it succeeds or `stopping` aborts.
 * Returns whether the worker takes jobs of the sandbox.
 */
export async function prepare({
	options,
	workDirectory,
	wait,
	trouble,
	stopping,
	onFailure,
}: Preparation): Promise<boolean> {
	for (let failures = 1; !stopping.aborted; failures += 1) {
		try {
			await mkdir(options.workDirectory, { recursive: true });
			const takesSandbox = await mayTakeSandbox(options, stopping);
			await workDirectory.tidy();
			return takesSandbox;
		} catch (error) {
			if (stopping.aborted) break;
			trouble.report(error);
			onFailure(error);
			await wait(backoff(failures), stopping);
		}
	}
	return false;
}

/** Rejects if full confinement is required and a part of it is missing. */
async function mayTakeSandbox(
	{ tools, logger, onConfinement }: Preparation["options"],
	stopping: AbortSignal,
): Promise<boolean> {
	try {
		const missing = await checkConfinement(tools, { logger, signal: stopping });
		onConfinement?.(missing);
		return tools.confinement === "off" || missing.length === 0;
	} catch (error) {
		if (tools.confinement === "required" || stopping.aborted) throw error;
		// Without ffmpeg a worker can still send finished outputs.
		logger.warn({ cause: String(error) }, "it can't be found out whether ffmpeg is confined here");
		return tools.confinement === "off";
	}
}

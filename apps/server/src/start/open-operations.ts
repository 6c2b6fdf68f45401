import type { Logger } from "@reelmill/engine";
import { createOperationsListener, type OperationsListenerOptions } from "@reelmill/operations";
import type { Config } from "../config.ts";
import { guardOf, listen } from "./listen.ts";

export type Operations = {
	readonly port: number;
	/** Answers from now on. Until then the port answers 503. */
	show(shown: Pick<OperationsListenerOptions, "ready" | "metrics">): void;
	close(): Promise<void>;
};

/**
 * Opens the operations port; `null` if the settings want none.
 *
 * @throws {StartError} when the port can't be opened.
 */
export async function openOperations(config: Config, logger: Logger): Promise<Operations | null> {
	if (config.OPS_PORT === undefined) return null;
	const guard = guardOf(config, logger);
	const listening = await listen(config.OPS_HOST, config.OPS_PORT, guard, { setting: "REELMILL_OPS_PORT" });
	return {
		port: listening.port,
		show: (shown) => listening.serve(createOperationsListener({ ...shown, logger })),
		close: () => listening.close(0),
	};
}

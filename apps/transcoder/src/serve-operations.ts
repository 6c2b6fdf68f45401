import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createOperationsListener, type OperationsListenerOptions } from "@reelmill/operations";
import { StartError } from "@reelmill/settings";
import type { Worker } from "@reelmill/worker";

type Settings = { readonly OPS_PORT: number | undefined; readonly OPS_HOST: string };
type Shown = Pick<OperationsListenerOptions, "metrics" | "logger"> & { readonly worker: Worker };

/**
 * Opens the operations port and resolves to it, or to nothing if the settings name none. The transcoder is ready while
 * it is well and the server answers its claims; a stopping one is not. The port is open until the process ends.
 *
 * @throws {StartError} when the port can't be opened; the message names the setting.
 */
export async function serveOperations(
	{ OPS_PORT, OPS_HOST }: Settings,
	{ worker, metrics, logger }: Shown,
): Promise<{ operationsPort?: number }> {
	if (OPS_PORT === undefined) return {};
	const ready = async () => {
		const { claims, illness } = worker.status();
		const checks = { claims, well: illness === null };
		return {
			status: claims ? "ok" : "unavailable",
			checks,
			...(illness !== null && { reason: `${illness.code}: ${illness.message}` }),
		} as const;
	};
	const server = createServer(createOperationsListener({ ready, metrics, logger }));
	try {
		await once(server.listen(OPS_PORT, OPS_HOST), "listening");
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		throw new StartError(
			`Port ${OPS_PORT} on ${OPS_HOST} can't be opened (${code}); set REELMILL_OPS_PORT and REELMILL_OPS_HOST to others.`,
			{ cause },
		);
	}
	return { operationsPort: (server.address() as AddressInfo).port };
}

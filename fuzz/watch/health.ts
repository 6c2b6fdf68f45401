import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { HealthReport } from "../processes/health.ts";

export type HealthWatch = { stop(): Promise<HealthReport> };
const program = fileURLToPath(new URL("../processes/health.ts", import.meta.url));

/** Asks `/v1/health` fifty times per second from its own process, which isn't held up by the making of cases. */
export function watchHealth(url: string, from: string | undefined): HealthWatch {
	const child = fork(program, from === undefined ? [url] : [url, from], {
		stdio: ["ignore", "ignore", "inherit", "ipc"],
	});
	return {
		async stop() {
			const answer = once(child, "message");
			child.send("stop");
			return ((await answer) as [HealthReport])[0];
		},
	};
}

/** Returns the value that this share of all values doesn't exceed; 0 for none. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

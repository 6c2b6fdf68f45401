import { setTimeout as sleep } from "node:timers/promises";
import type { DriverEntry } from "../../history/entries.ts";
import type { History } from "../../history/history.ts";
import type { Fault, FaultKind } from "../../plan/catalogue.ts";
import type { Server } from "../processes/servers.ts";
import type { World } from "../world.ts";

/** What an injector breaks, and where it records it. */
export type Ground = { readonly world: World; readonly history: History };
type Of<K extends FaultKind> = Extract<Fault, { readonly kind: K }>;
/** Each resolves when its fault is over, with false if there was nothing to break. */
export type Injectors<K extends FaultKind = FaultKind> = {
	readonly [Kind in K]: (fault: Of<Kind>) => Promise<boolean>;
};
type Killed = Extract<DriverEntry, { readonly kind: "killed" }>["what"];

export const serverOf = ({ world }: Ground, { server }: { readonly server: number }): Server =>
	world.servers[server] as Server;

const startMilliseconds = 10_000;

/**
 * Waits until all of these servers run; returns false if that takes longer than 10 s, because another fault has them.
 */
export async function areUp(servers: readonly Server[]): Promise<boolean> {
	const until = Date.now() + startMilliseconds;
	const all = () => servers.every(({ process }) => process.isUp() && !process.isFrozen());
	while (!all() && Date.now() < until) await sleep(20);
	return all();
}

/** Records that a process was killed, if one was. */
export function killed({ history }: Ground, what: Killed, name: string, done: boolean): boolean {
	if (done) history.add({ kind: "killed", what, name });
	return done;
}

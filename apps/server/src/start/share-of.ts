import { availableParallelism } from "node:os";
import type { Config } from "../config.ts";

type Shared = Pick<Config, "DATABASE_CONNECTIONS" | "DELIVERY_MEMORY_BYTES" | "EMBEDDED_WORKERS" | "IMPORTS_AT_ONCE">;

const mostProcesses = 64;

/** Returns how many processes the setting wants. */
export const processesOf = ({ PROCESSES }: Pick<Config, "PROCESSES">): number =>
	PROCESSES === "auto" ? Math.min(availableParallelism(), mostProcesses) : PROCESSES;

/** A process takes at least so many connections to the database, whatever the setting. */
const fewestConnections = 2;
/** So many, if there is no setting: for the only process, and for each of several. */
const usualConnections = { alone: 10, each: 5 };
/** A statement that asks whether the database answers, and changes of the schema, take one more connection each. */
const connectionsBeside = 2;

/** Returns the settings of one of several processes: its share of what the settings give to the whole server. */
export function shareOf<C extends Shared>(config: C, process: number, processes: number): C {
	return {
		...config,
		EMBEDDED_WORKERS: process === 1 ? config.EMBEDDED_WORKERS : 0,
		IMPORTS_AT_ONCE: process === 1 ? config.IMPORTS_AT_ONCE : 0,
		DELIVERY_MEMORY_BYTES: Math.floor(config.DELIVERY_MEMORY_BYTES / processes),
		DATABASE_CONNECTIONS: connectionsEach(config, processes),
	};
}

/** Returns how many connections to the database the server takes at most. */
export const connectionsOf = (config: Pick<Shared, "DATABASE_CONNECTIONS">, processes: number): number =>
	(connectionsEach(config, processes) + connectionsBeside) * processes;

function connectionsEach({ DATABASE_CONNECTIONS: all }: Pick<Shared, "DATABASE_CONNECTIONS">, processes: number) {
	if (all === undefined) return processes === 1 ? usualConnections.alone : usualConnections.each;
	return Math.max(fewestConnections, Math.floor(all / processes));
}

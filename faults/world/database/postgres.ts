import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresDatabase } from "@reelmill/postgres";
import type { History } from "../../history/history.ts";
import type { Disturbances } from "../disturbances.ts";
import { openPostgresNode, type PostgresNode } from "./postgres-node.ts";

/**
 * Two PostgreSQL servers: a primary and a standby. The primary answers no commit that the standby doesn't have
 * (synchronous replication). Faults come one after the other, each once writes are taken again.
 */
export type Postgres = {
	/** Both nodes, whichever is the primary. */
	readonly nodes: readonly [PostgresNode, PostgresNode];
	readonly primary: PostgresNode;
	/** The driver's own connections to the primary. */
	readonly database: PostgresDatabase;
	isUp(): boolean;
	/** Calls the listener with each new primary after its promotion. */
	onFailOver(listener: (primary: PostgresNode) => void): void;
	/** Ends the primary by this signal and starts it again after a pause. Resolves when it takes writes. */
	restart(signal: NodeJS.Signals, milliseconds: number): Promise<true>;
	/**
	 * Kills one process of a connection, after which the server ends all others and recovers. Returns false if there was
	 * none.
	 */
	killBackend(): Promise<boolean>;
	/** Ends all other connections properly; returns how many there were. */
	terminateBackends(): Promise<number>;
	/** Leaves no byte free on the primary's disk for a while, and starts the primary again if it ended. */
	fillDisk(milliseconds: number): Promise<true>;
	/**
	 * Ends the primary by this signal and promotes the standby. Resolves when the new primary takes writes; the old one
	 * becomes a standby meanwhile. Returns false if no standby was in step within 10 s.
	 */
	failOver(how: NodeJS.Signals): Promise<boolean>;
	/** Resolves when a standby is in step again. */
	whole(): Promise<void>;
	close(): Promise<void>;
};

const inStepMilliseconds = 10_000;
const others = "from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";

export async function startPostgres({
	directory,
	history,
	disturbances,
}: {
	directory: string;
	history: History;
	disturbances: Disturbances;
}): Promise<Postgres> {
	const first = await openPostgresNode(join(directory, "0"));
	const second = await openPostgresNode(join(directory, "1"), first).catch(async (error: unknown) => {
		await first.close();
		throw error;
	});
	const nodes = [first, second] as const;
	const listeners: ((primary: PostgresNode) => void)[] = [];
	let primary: PostgresNode = first;
	let [isUp, isInStep, isClosing] = [true, false, false];
	let last: Promise<unknown> = Promise.resolve();
	const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
		const mine = last.then(act);
		last = mine.catch(() => undefined);
		return mine;
	};
	const standby = (): PostgresNode => (primary === first ? second : first);

	const whileDown = async (breaks: () => Promise<unknown>): Promise<true> => {
		isUp = false;
		history.add({ kind: "postgres", is: "down" });
		const end = disturbances.begin({ what: "down", way: "database" });
		try {
			await breaks();
			await primary.writes();
		} finally {
			isUp = true;
			end();
			history.add({ kind: "postgres", is: "up" });
		}
		return true;
	};
	const ask = async <T>(text: string): Promise<T | undefined> =>
		((await primary.database.query({ text, values: [] }).catch(() => [])) as T[])[0];

	/** Waits until the standby is in step: from then on no commit is answered before the standby has it. */
	const comeInStep = async (): Promise<void> => {
		while (!isClosing) {
			await ask("alter system set synchronous_standby_names = '*'");
			await ask("select pg_reload_conf()");
			const row = await ask<{ state: string }>("select sync_state as state from pg_stat_replication");
			if (row?.state === "sync") break;
			await sleep(50);
		}
		isInStep = true;
	};
	const rebuild = async (node: PostgresNode): Promise<void> => {
		while (!isClosing) {
			try {
				await node.follow(primary);
				break;
			} catch (error) {
				history.add({ kind: "noted", text: `a standby could not be made: ${error}` });
				await sleep(500);
			}
		}
		await comeInStep();
	};
	let becomingWhole = comeInStep();
	await becomingWhole;

	return {
		nodes,
		get primary() {
			return primary;
		},
		get database() {
			return primary.database;
		},
		isUp: () => isUp,
		onFailOver: (listener) => void listeners.push(listener),
		restart: (signal, milliseconds) =>
			inTurn(() =>
				whileDown(async () => {
					await primary.end(signal);
					await sleep(milliseconds);
					await primary.start();
				}),
			),
		killBackend: () =>
			inTurn(async () => {
				const row = await ask<{ pid: number }>(`select pid ${others} order by random() limit 1`);
				if (!row) return false;
				return whileDown(async () => {
					process.kill(row.pid, "SIGKILL");
					await sleep(50);
				});
			}),
		terminateBackends: () =>
			inTurn(
				async () =>
					(
						await primary.database
							.query({ text: `select pg_terminate_backend(pid) ${others}`, values: [] })
							.catch(() => [])
					).length,
			),
		fillDisk: (milliseconds) =>
			inTurn(() =>
				whileDown(async () => {
					const empty = await primary.disk.fill();
					await sleep(milliseconds);
					await empty();
					if (!primary.isRunning()) await primary.start();
				}),
			),
		failOver: (how) =>
			inTurn(async () => {
				for (const until = Date.now() + inStepMilliseconds; !isInStep && Date.now() < until; ) await sleep(20);
				if (!isInStep) return false;
				isInStep = false;
				const lost = primary;
				await whileDown(async () => {
					if (how === "SIGSTOP") await lost.freeze();
					else await lost.end(how);
					const next = standby();
					await next.database.query({ text: "select pg_promote(true, 20)", values: [] });
					primary = next;
					for (const listener of listeners) listener(primary);
				});
				becomingWhole = sleep(how === "SIGSTOP" ? 3000 : 0).then(() => rebuild(lost));
				return true;
			}),
		whole: () => becomingWhole,
		async close() {
			isClosing = true;
			await becomingWhole.catch(() => undefined);
			for (const node of nodes) await node.close();
		},
	};
}

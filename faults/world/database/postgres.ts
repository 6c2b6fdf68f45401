import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresDatabase } from "@reelmill/postgres";
import type { History } from "../../history/history.ts";
import type { Disturbances } from "../disturbances.ts";
import { openPostgresNode, type PostgresNode } from "./postgres-node.ts";

/**
 * Two PostgreSQL servers: a primary, and a standby without which it answers no commit (synchronous replication). What
 * breaks it is done one after the other, each when it takes writes again.
 */
export type Postgres = {
	/** Both, whichever is the primary now. */
	readonly nodes: readonly [PostgresNode, PostgresNode];
	readonly primary: PostgresNode;
	/** The driver's own connections to the primary. */
	readonly database: PostgresDatabase;
	isUp(): boolean;
	/** Told of each new primary, when it was promoted. */
	onFailOver(listener: (primary: PostgresNode) => void): void;
	/** Ends the primary by this signal, and starts it again after so long. Resolves when it takes writes. */
	restart(signal: NodeJS.Signals, milliseconds: number): Promise<true>;
	/**
	 * Kills one process of a connection, upon which the server ends all others and recovers. Resolves with false where
	 * there was none.
	 */
	killBackend(): Promise<boolean>;
	/** Ends the connections of all others in order; answers how many. */
	terminateBackends(): Promise<number>;
	/** Leaves the primary's disk not a byte for so long; starts it again where it ended of that. */
	fillDisk(milliseconds: number): Promise<true>;
	/**
	 * Loses the primary by this signal and makes the standby the primary. Resolves, with false where no standby came in
	 * step in 10 s, when that takes writes; what was the primary is made a new standby meanwhile.
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

	/** From now on no commit is answered before the standby has it. */
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

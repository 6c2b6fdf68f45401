import { setTimeout as sleep } from "node:timers/promises";
import { ConnectionSet } from "./connection-set.ts";
import { isConnectionFailure, isNobody, isReadOnly, isUnreachable } from "./errors.ts";
import { ServerSearch } from "./server-search.ts";
import { type Host, readServerUrl } from "./server-url.ts";
import { askWhetherPooled, Sessions, type Sql } from "./sessions.ts";
import { withTimeLimit } from "./time-limit.ts";

/** Sends a statement; `prepare` says whether the session may keep it for the next time. */
export type Send = (sql: Sql, prepare: boolean) => PromiseLike<readonly Record<string, unknown>[]>;
export type ConnectionsOptions = {
	readonly url: string;
	readonly maxConnections: number;
	readonly connectTimeoutMilliseconds: number;
	/** Null if statements may take any time. */
	readonly statementTimeoutMilliseconds: number | null;
	readonly onNotice: (notice: { readonly message: string; readonly code: string | undefined }) => void;
	readonly onLost: (error: unknown) => void;
	/** Called if the server, or a pooler in front of it, refuses settings that come with a connection. */
	readonly onRefusedSettings: (error: unknown) => void;
};

/** How long running statements may take to end when the adapter is closed. */
const drainMilliseconds = 5000;

/** Stands for any time, since timers need a limit. */
const dayMilliseconds = 86_400_000;

/**
 * The least time that a statement gets, even if its turn comes late: otherwise it would be sent only to be given up.
 */
const leastMilliseconds = 1000;

/**
 * While a statement runs longer than this, a probe asks whether its server still answers, or, if there are several
 * hosts, whether another one has taken its place.
 */
const probeAfterMilliseconds = { alone: 2000, ofSeveral: 1000 };

type Probe = { readonly host: Host; readonly failure?: unknown };

/** At most this often a server that takes no writes is left, perhaps for the same one. */
const stayMilliseconds = 1000;

/**
 * A bounded set of connections. Each runs one statement at a time, so that a statement that waits for a lock holds up
 * no other.
 *
 * The whole set is replaced when a connection breaks or its server stops taking writes: postgres.js can leave a broken
 * connection unusable for good, and a new set costs nothing until it is used. Statements on the other connections of
 * the old set run to their end. If the URL names several hosts, each set begins with a search for the one that takes
 * writes.
 */
export class Connections {
	readonly #options: ConnectionsOptions;
	readonly #waiting: { start(): void; refuse(error: unknown): void }[] = [];
	readonly #idle: (() => void)[] = [];
	readonly #sessions: Sessions;
	readonly #hosts: readonly Host[];
	/** Null if there is one server, which is used whatever it is. */
	readonly #search: ServerSearch | null;
	/** The URL says that the pooler in front of the server keeps prepared statements apart, as PgBouncer 1.21 can. */
	readonly #poolerPrepares: boolean;
	/** Replaced sets on which statements still run. */
	readonly #retired = new Set<ConnectionSet>();
	#current: ConnectionSet;
	#running = 0;
	#leftReadOnly = Number.NEGATIVE_INFINITY;
	#closed = false;
	#probe: Promise<Probe> | undefined;

	constructor(options: ConnectionsOptions) {
		const { hosts, wanted } = readServerUrl(options.url);
		this.#options = options;
		this.#sessions = new Sessions(options);
		this.#hosts = hosts;
		this.#poolerPrepares = new URL((hosts[0] as Host).url).searchParams.get("prepare") === "true";
		this.#search = wanted === "any" && hosts.length === 1 ? null : new ServerSearch(hosts, wanted, this.#sessions);
		this.#current = this.#begin();
	}

	/**
	 * Runs `send` on a connection of its own, for at most the time of a statement, the wait for a connection included: if
	 * a connection was lost silently while others to the same server still work, nothing else shows it. Rejects with the
	 * error of postgres.js.
	 */
	async run(send: Send): Promise<Record<string, unknown>[]> {
		const milliseconds = this.#options.statementTimeoutMilliseconds ?? dayMilliseconds;
		if (this.#closed) throw ended();
		const until = performance.now() + milliseconds;
		if (this.#running >= this.#options.maxConnections) await this.#turn(milliseconds);
		else this.#running++;
		let set = this.#current;
		set.running++;
		const left = () => Math.max(leastMilliseconds, until - performance.now());
		try {
			try {
				return await this.#send(set, send, left());
			} catch (error) {
				if (!this.#mayMove(set, error) || performance.now() > until) throw error;
				this.#leave(set);
				set = this.#current;
				set.running++;
				return await this.#send(set, send, left());
			}
		} finally {
			this.#leave(set);
			const next = this.#waiting.shift();
			if (next) next.start();
			else if (--this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve();
		}
	}

	/** How many statements run, each on a connection of its own, and how many wait for one. */
	load(): { readonly running: number; readonly waiting: number } {
		return { running: this.#running, waiting: this.#waiting.length };
	}

	/** Lets running statements end, for at most 5 s. Waiting and later statements reject. */
	async close(): Promise<void> {
		this.#closed = true;
		this.#refuseWaiting(ended());
		if (this.#running > 0) {
			const late = new AbortController();
			await Promise.race([
				new Promise<void>((resolve) => this.#idle.push(resolve)),
				sleep(drainMilliseconds, undefined, late).catch(() => {}),
			]);
			late.abort();
		}
		await Promise.all([this.#current, ...this.#retired].map((set) => set.end()));
	}

	#turn(milliseconds: number): Promise<void> {
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => {
				this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
				reject(Object.assign(new Error("no connection came free in time"), { code: "CONNECT_TIMEOUT" }));
			}, milliseconds);
			const waiting = {
				start() {
					clearTimeout(timer);
					resolve();
				},
				refuse(error: unknown) {
					clearTimeout(timer);
					reject(error);
				},
			};
			this.#waiting.push(waiting);
		});
	}

	#begin(): ConnectionSet {
		return new ConnectionSet(async (set) => {
			const { maxConnections } = this.#options;
			const [host] = this.#hosts as [Host];
			if (!this.#search) {
				const sql = this.#sessions.open(host, maxConnections);
				return { host, sql, pooled: await askWhetherPooled(sql) };
			}
			return this.#search.find(maxConnections, () =>
				this.#replace(set, new Error("the server takes no writes any more")),
			);
		});
	}

	async #send(set: ConnectionSet, send: Send, milliseconds: number): Promise<Record<string, unknown>[]> {
		const until = performance.now() + milliseconds;
		const watch = this.#watch(set);
		try {
			const { sql, pooled } = set.found ?? (await withTimeLimit(milliseconds, set.find(), "CONNECT_TIMEOUT"));
			const sent = send(sql, !pooled || this.#poolerPrepares);
			const rows = await withTimeLimit(until - performance.now(), sent, "ETIMEDOUT");
			// postgres.js counts the rows of a statement that failed in its middle on, and puts the next one's behind as many
			// holes: https://github.com/porsager/postgres/issues/1119. A filter passes over them, and is slow.
			return rows.length === 0 || 0 in rows ? Array.from(rows) : rows.filter(() => true);
		} catch (error) {
			if (isConnectionFailure(error)) this.#replace(set, error);
			else if (isReadOnly(error)) this.#leaveReadOnly(set, error);
			throw error;
		} finally {
			watch.stop();
		}
	}

	/** If the only server is one that takes no writes, statements that read go on there. */
	#leaveReadOnly(set: ConnectionSet, error: unknown): void {
		if (set !== this.#current || performance.now() - this.#leftReadOnly < stayMilliseconds) return;
		this.#leftReadOnly = performance.now();
		this.#replace(set, error);
	}

	/**
	 * Whether a statement that failed with `error` had no effect, and may succeed on the connections that were opened
	 * since.
	 */
	#mayMove(set: ConnectionSet, error: unknown): boolean {
		if (set === this.#current || this.#closed) return false;
		return isReadOnly(error) || this.#sessions.refused(error) || (isUnreachable(error) && !this.#isLast(error));
	}

	/** Whether no other server can be reached either. */
	#isLast(error: unknown): boolean {
		return this.#hosts.length === 1 || isNobody(error);
	}

	/**
	 * Opens new connections from now on. If the server couldn't be reached, statements that wait are refused: they would
	 * meet the same error.
	 */
	#replace(set: ConnectionSet, error: unknown): void {
		if (set !== this.#current || this.#closed) return;
		this.#current = this.#begin();
		if (!this.#sessions.refused(error)) this.#options.onLost(error);
		this.#retired.add(set);
		this.#endIfDone(set);
		if (isUnreachable(error) && this.#isLast(error)) this.#refuseWaiting(error);
	}

	#leave(set: ConnectionSet): void {
		set.running--;
		this.#endIfDone(set);
	}

	#endIfDone(set: ConnectionSet): void {
		if (set.running === 0 && this.#retired.delete(set)) set.end().catch(() => {});
	}

	#refuseWaiting(error: unknown): void {
		// Each running statement holds a slot, and a waiting one holds none: refusing those doesn't change the count.
		for (const waiting of this.#waiting.splice(0)) waiting.refuse(error);
	}

	/**
	 * Asks the server on a new connection while a statement takes long: a server behind a cut network, or a frozen one,
	 * closes no connection.
	 */
	#watch(set: ConnectionSet): { stop(): void } {
		let stopped = false;
		let timer: NodeJS.Timeout;
		const arm = () => {
			timer = setTimeout(
				async () => {
					this.#probe ??= this.#ask().finally(() => {
						this.#probe = undefined;
					});
					const { failure, host } = await this.#probe;
					if (stopped) return;
					const left =
						failure ??
						(set.found && host !== set.found.host ? new Error(`${host.name} has taken the server's place`) : null);
					if (!left) return arm();
					this.#replace(set, left);
					set.end().catch(() => {});
				},
				probeAfterMilliseconds[this.#hosts.length === 1 ? "alone" : "ofSeveral"],
			);
		};
		arm();
		return {
			stop: () => {
				stopped = true;
				clearTimeout(timer);
			},
		};
	}

	/**
	 * Returns the server that is the right one now, or why none can be reached. A server that refuses for a reason of its
	 * own, such as too many connections, is alive.
	 */
	async #ask(): Promise<Probe> {
		const [host] = this.#hosts as [Host];
		const alone = this.#search ? null : this.#sessions.open(host, 1);
		try {
			if (!alone) {
				const { sql, host } = await (this.#search as ServerSearch).find(1);
				sql.end({ timeout: 0 }).catch(() => {});
				return { host };
			}
			await alone.unsafe("select 1");
			return { host };
		} catch (error) {
			return isUnreachable(error) ? { failure: error, host } : { host };
		} finally {
			alone?.end({ timeout: 0 }).catch(() => {});
		}
	}
}

const ended = (): Error => Object.assign(new Error("the database adapter is closed"), { code: "CONNECTION_ENDED" });

import { setTimeout as sleep } from "node:timers/promises";
import { isConnectionFailure, isNobody, isReadOnly, isUnreachable } from "./errors.ts";
import { Generation } from "./generation.ts";
import { ServerSearch } from "./server-search.ts";
import { type Host, readServerUrl } from "./server-url.ts";
import { Sessions, type Sql } from "./sessions.ts";
import { within } from "./within.ts";

export type Send = (sql: Sql) => PromiseLike<Iterable<Record<string, unknown>>>;
export type ConnectionsOptions = {
	readonly url: string;
	readonly maxConnections: number;
	readonly connectTimeoutMilliseconds: number;
	readonly statementTimeoutMilliseconds: number;
	readonly onNotice: (notice: { readonly message: string; readonly code: string | undefined }) => void;
	readonly onLost: (error: unknown) => void;
	/** The server, or a pooler before it, takes no settings with a connection. */
	readonly onRefusedSettings: (error: unknown) => void;
};

/** How long running statements may take to end when the adapter is closed. */
const drainMilliseconds = 5000;

/** A statement whose turn comes late is not sent only to be given up. */
const leastMilliseconds = 1000;

/**
 * While a statement takes so long, it is asked whether its server still answers; where there are others, whether one of
 * these has taken its place.
 */
const probeAfterMilliseconds = { alone: 2000, ofSeveral: 1000 };

type Probe = { readonly host: Host; readonly failure?: unknown };

/** A server that takes no writes is left for the same one, perhaps, once in so long. */
const stayMilliseconds = 1000;

/**
 * A bounded set of connections, one statement at a time on each, so that a statement that waits for a lock holds up no
 * other.
 *
 * When a connection breaks, or its server takes no writes any more, the whole set is replaced: postgres.js can leave a
 * broken connection unusable for good, and a new set costs nothing before it is used. Statements at work on the other
 * connections of the old set run to their end. Where the URL names several hosts, each set begins with a search for the
 * one that takes writes.
 */
export class Connections {
	readonly #options: ConnectionsOptions;
	readonly #waiting: { start(): void; refuse(error: unknown): void }[] = [];
	readonly #idle: (() => void)[] = [];
	readonly #sessions: Sessions;
	readonly #hosts: readonly Host[];
	/** Null where there is one server, taken as it is. */
	readonly #search: ServerSearch | null;
	/** Replaced, with statements still at work. */
	readonly #retired = new Set<Generation>();
	#current: Generation;
	#running = 0;
	#leftReadOnly = Number.NEGATIVE_INFINITY;
	#closed = false;
	#probe: Promise<Probe> | undefined;

	constructor(options: ConnectionsOptions) {
		const { hosts, wanted } = readServerUrl(options.url);
		this.#options = options;
		this.#sessions = new Sessions(options);
		this.#hosts = hosts;
		this.#search = wanted === "any" && hosts.length === 1 ? null : new ServerSearch(hosts, wanted, this.#sessions);
		this.#current = this.#begin();
	}

	/**
	 * Runs `send` on a connection of its own, and waits for it, the wait for a connection included, for `milliseconds` at
	 * most: a connection that was lost without a word, on a way that others still go, shows in nothing else. Rejects with
	 * what postgres.js rejected with.
	 */
	async run(send: Send, milliseconds = this.#options.statementTimeoutMilliseconds): Promise<Record<string, unknown>[]> {
		if (this.#closed) throw ended();
		const until = performance.now() + milliseconds;
		if (this.#running >= this.#options.maxConnections) await this.#turn(milliseconds);
		else this.#running++;
		let generation = this.#current;
		generation.running++;
		const left = () => Math.max(leastMilliseconds, until - performance.now());
		try {
			try {
				return await this.#send(generation, send, left());
			} catch (error) {
				if (!this.#mayMove(generation, error) || performance.now() > until) throw error;
				this.#leave(generation);
				generation = this.#current;
				generation.running++;
				return await this.#send(generation, send, left());
			}
		} finally {
			this.#leave(generation);
			const next = this.#waiting.shift();
			if (next) next.start();
			else if (--this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve();
		}
	}

	/** Lets running statements end, for 5 s at most; those that wait, and later ones, reject. */
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
		await Promise.all([this.#current, ...this.#retired].map((generation) => generation.end()));
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

	#begin(): Generation {
		return new Generation(async (generation) => {
			const { maxConnections } = this.#options;
			const [host] = this.#hosts as [Host];
			if (!this.#search) return { host, sql: this.#sessions.open(host, maxConnections) };
			return this.#search.find(maxConnections, () =>
				this.#replace(generation, new Error("the server takes no writes any more")),
			);
		});
	}

	async #send(generation: Generation, send: Send, milliseconds: number): Promise<Record<string, unknown>[]> {
		const until = performance.now() + milliseconds;
		const watch = this.#watch(generation);
		try {
			const { sql } = generation.found ?? (await within(milliseconds, generation.find(), "CONNECT_TIMEOUT"));
			return Array.from(await within(until - performance.now(), send(sql), "ETIMEDOUT"));
		} catch (error) {
			if (isConnectionFailure(error)) this.#replace(generation, error);
			else if (isReadOnly(error)) this.#leaveReadOnly(generation, error);
			throw error;
		} finally {
			watch.stop();
		}
	}

	/** While there is only a server that takes no writes, what reads goes on there. */
	#leaveReadOnly(generation: Generation, error: unknown): void {
		if (generation !== this.#current || performance.now() - this.#leftReadOnly < stayMilliseconds) return;
		this.#leftReadOnly = performance.now();
		this.#replace(generation, error);
	}

	/**
	 * Whether a statement that failed by `error` had no effect, and the connections that were taken since can make the
	 * difference.
	 */
	#mayMove(generation: Generation, error: unknown): boolean {
		if (generation === this.#current || this.#closed) return false;
		return isReadOnly(error) || this.#sessions.refused(error) || (isUnreachable(error) && !this.#isLast(error));
	}

	/** Whether no other server could be reached either. */
	#isLast(error: unknown): boolean {
		return this.#hosts.length === 1 || isNobody(error);
	}

	/**
	 * Takes new connections from now on. Where the server couldn't be reached, what waits for one would only find the
	 * same.
	 */
	#replace(generation: Generation, error: unknown): void {
		if (generation !== this.#current || this.#closed) return;
		this.#current = this.#begin();
		this.#options.onLost(error);
		this.#retired.add(generation);
		this.#endIfDone(generation);
		if (isUnreachable(error) && this.#isLast(error)) this.#refuseWaiting(error);
	}

	#leave(generation: Generation): void {
		generation.running--;
		this.#endIfDone(generation);
	}

	#endIfDone(generation: Generation): void {
		if (generation.running === 0 && this.#retired.delete(generation)) generation.end().catch(() => {});
	}

	#refuseWaiting(error: unknown): void {
		// A slot is held for each statement that runs, none for those that wait: refusing these leaves the count as it is.
		for (const waiting of this.#waiting.splice(0)) waiting.refuse(error);
	}

	/**
	 * A server that is gone without a word (cut network, frozen machine) closes no connection: while a statement takes
	 * long, ask on a new one.
	 */
	#watch(generation: Generation): { stop(): void } {
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
						(generation.found && host !== generation.found.host
							? new Error(`${host.name} has taken the server's place`)
							: null);
					if (!left) return arm();
					this.#replace(generation, left);
					generation.end().catch(() => {});
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
	 * The server that is the right one now, or why none can be reached. One that refuses for a reason of its own (too
	 * many connections) is alive.
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

import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { isConnectionFailure } from "./errors.ts";
import { valueTypes } from "./value-types.ts";

type Sql = ReturnType<typeof postgres>;
export type Send = (sql: Sql) => PromiseLike<Iterable<Record<string, unknown>>>;
export type ConnectionsOptions = {
	readonly url: string;
	readonly maxConnections: number;
	readonly connectTimeoutMilliseconds: number;
	readonly probeAfterMilliseconds: number;
	readonly statementTimeoutMilliseconds: number;
	readonly onNotice: (notice: { readonly message: string; readonly code: string | undefined }) => void;
	readonly onLost: (error: unknown) => void;
};

/** How long running statements may take to end when the adapter is closed. */
const drainMilliseconds = 5000;

/** A statement whose turn comes late is not sent only to be given up. */
const leastMilliseconds = 1000;

/** The connections opened until one of them breaks. */
type Generation = { readonly sql: Sql; running: number };

/**
 * A bounded set of connections, one statement at a time on each, so that a statement that waits for a lock holds up no other.
 *
 * When a connection breaks the whole set is replaced: postgres.js can leave a broken connection unusable for good, and a new set costs nothing
 * before it is used. Statements at work on the other connections of the old set run to their end.
 */
export class Connections {
	readonly #options: ConnectionsOptions;
	readonly #waiting: { start(): void; refuse(error: unknown): void }[] = [];
	readonly #idle: (() => void)[] = [];
	/** Replaced, with statements still at work. */
	readonly #retired = new Set<Generation>();
	#current: Generation;
	#running = 0;
	#closed = false;
	#probe: Promise<unknown> | undefined;

	constructor(options: ConnectionsOptions) {
		this.#options = options;
		this.#current = { sql: this.#open(options.maxConnections), running: 0 };
	}

	/**
	 * Runs `send` on a connection of its own, and waits for it, the wait for a connection included, for `milliseconds` at most: a connection that was lost without
	 * a word, on a way that others still go, shows in nothing else. Rejects with what postgres.js rejected with.
	 */
	async run(send: Send, milliseconds = this.#options.statementTimeoutMilliseconds): Promise<Record<string, unknown>[]> {
		if (this.#closed) throw ended();
		const until = performance.now() + milliseconds;
		if (this.#running >= this.#options.maxConnections) await this.#turn(milliseconds);
		else this.#running++;
		const generation = this.#current;
		generation.running++;
		const watch = this.#watch(generation);
		try {
			return Array.from(await within(Math.max(leastMilliseconds, until - performance.now()), send(generation.sql)));
		} catch (error) {
			if (isConnectionFailure(error)) this.#replace(generation, error);
			throw error;
		} finally {
			watch.stop();
			generation.running--;
			this.#endIfDone(generation);
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
			await Promise.race([new Promise<void>((resolve) => this.#idle.push(resolve)), sleep(drainMilliseconds, undefined, late).catch(() => {})]);
			late.abort();
		}
		await Promise.all([this.#current, ...this.#retired].map(({ sql }) => sql.end({ timeout: 0 })));
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

	#open(max: number): Sql {
		const options = {
			max,
			max_pipeline: 0,
			connect_timeout: this.#options.connectTimeoutMilliseconds / 1000,
			backoff: () => 0,
			idle_timeout: 60,
			keep_alive: 30,
			fetch_types: false,
			types: valueTypes,
			connection: { application_name: "reelmill", DateStyle: "ISO", TimeZone: "UTC" },
			onnotice: (notice: postgres.Notice) => this.#options.onNotice({ message: String(notice.message), code: notice.code }),
		};
		return postgres(this.#options.url, options);
	}

	/** Takes new connections from now on. Where the server couldn't be reached, what waits for one would only find the same. */
	#replace(generation: Generation, error: unknown): void {
		if (generation !== this.#current || this.#closed) return;
		this.#current = { sql: this.#open(this.#options.maxConnections), running: 0 };
		this.#options.onLost(error);
		this.#retired.add(generation);
		this.#endIfDone(generation);
		if (isUnreachable(error)) this.#refuseWaiting(error);
	}

	#endIfDone(generation: Generation): void {
		if (generation.running === 0 && this.#retired.delete(generation)) generation.sql.end({ timeout: 0 }).catch(() => {});
	}

	#refuseWaiting(error: unknown): void {
		// A slot is held for each statement that runs, none for those that wait: refusing these leaves the count as it is.
		for (const waiting of this.#waiting.splice(0)) waiting.refuse(error);
	}

	/** A server that is gone without a word (cut network, frozen machine) closes no connection: while a statement takes long, ask on a new one. */
	#watch(generation: Generation): { stop(): void } {
		let stopped = false;
		let timer: NodeJS.Timeout;
		const arm = () => {
			timer = setTimeout(async () => {
				this.#probe ??= this.#ask().finally(() => {
					this.#probe = undefined;
				});
				const failure = await this.#probe;
				if (stopped) return;
				if (!failure) return arm();
				this.#replace(generation, failure);
				// Rejects all statements on these connections.
				generation.sql.end({ timeout: 0 }).catch(() => {});
			}, this.#options.probeAfterMilliseconds);
		};
		arm();
		return {
			stop: () => {
				stopped = true;
				clearTimeout(timer);
			},
		};
	}

	/** Why the server can't be reached; null when it can. One that refuses for a reason of its own (too many connections) is alive. */
	async #ask(): Promise<unknown> {
		const probe = this.#open(1);
		try {
			await probe.unsafe("select 1");
			return null;
		} catch (error) {
			return isUnreachable(error) ? error : null;
		} finally {
			probe.end({ timeout: 0 }).catch(() => {});
		}
	}
}

async function within<T>(milliseconds: number, promise: PromiseLike<T>): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		const giveUp = () => reject(Object.assign(new Error("no answer came in time"), { code: "ETIMEDOUT" }));
		// In a process that was starved or stopped itself, timers come before the answers that lie there to be read.
		timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), milliseconds);
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Whether not even a connection could be made. */
function isUnreachable(error: unknown): boolean {
	const { code } = error as { code?: string };
	return (
		code === "CONNECT_TIMEOUT" || code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "EHOSTUNREACH" || code === "ENETUNREACH"
	);
}

const ended = (): Error => Object.assign(new Error("the database adapter is closed"), { code: "CONNECTION_ENDED" });

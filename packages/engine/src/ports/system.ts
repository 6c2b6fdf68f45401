/**
 * Measures how long things take. Caches, waits, back-offs and deadlines of one process use a stopwatch, and no clock
 * that somebody can set. What it shows means nothing to another process.
 */
export interface Stopwatch {
	/**
	 * Returns milliseconds since some moment of this process. It only goes forwards, whatever happens to the machine's
	 * clock; it may stand still while the machine is suspended.
	 */
	elapsed(): number;
	/** Resolves after `milliseconds`, or at once when `signal` aborts. It never rejects. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The only source of time in the engine. */
export interface Clock extends Stopwatch {
	/**
	 * Returns whole milliseconds since the epoch: for moments that are stored, told, signed, or compared with what
	 * another server wrote. All servers of an installation must return the same time. The clock can be set, also back, so
	 * measure no duration by it.
	 */
	now(): number;
}

/** The only source of chance in the engine. */
export interface Random {
	/** Returns `length` unpredictable bytes, fit for keys. */
	bytes(length: number): Uint8Array;
	/** Returns a UUIDv4 in lower case. */
	uuid(): string;
	/** Returns a number from 0 to below 1; for jitter, not for secrets. */
	fraction(): number;
}

/** Tells the operator. The fields of the first argument never hold a secret. */
export interface Logger {
	debug(fields: object, message: string): void;
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
}

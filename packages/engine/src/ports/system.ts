/**
 * Measures how long things take. Caches, waits, back-offs and deadlines of one process are given this alone, and so no
 * clock that anybody can set. What it measures means nothing to another process.
 */
export interface Stopwatch {
	/**
	 * Milliseconds since some moment of this process. It only goes forwards, whatever is done to the machine's clock;
	 * while the machine is suspended it may stand still.
	 */
	elapsed(): number;
	/** Resolves after `milliseconds`, or at once when `signal` aborts; it never rejects. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The only source of time in the engine. */
export interface Clock extends Stopwatch {
	/**
	 * Milliseconds since the epoch, whole: for moments that are stored, told, signed, or held against what another server
	 * wrote. All servers of an installation must give the same. It can be set, also back, so no duration is measured by
	 * it.
	 */
	now(): number;
}

/** The only source of chance in the engine. */
export interface Random {
	/** `length` unpredictable bytes, fit for keys. */
	bytes(length: number): Uint8Array;
	/** A UUIDv4 in lower case. */
	uuid(): string;
	/** A number from 0 to below 1; for jitter, not for secrets. */
	fraction(): number;
}

/** Words for the operator. The first argument's fields never hold a secret. */
export interface Logger {
	debug(fields: object, message: string): void;
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
}

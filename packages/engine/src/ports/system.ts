/** The only source of time in the engine. */
export interface Clock {
	/** Milliseconds since the epoch. Never goes back by more than the machine's own clock does. */
	now(): number;
	/** Resolves after `milliseconds`, or at once when `signal` aborts; it never rejects. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
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

import { createHash, type Hash } from "node:crypto";
import type { Checked, SumName } from "./body-sum.ts";

/** Bytes of one part, and where in the upload they begin. */
export type Cut = Checked & { readonly start: number };

export type PartQueue = {
	/**
	 * Copies the bytes; sends what makes a full part as soon as a byte follows it. Waits while too many are on their way.
	 * Rejects once one has failed.
	 */
	take(bytes: Uint8Array): Promise<void>;
	/**
	 * Sends what makes a full part, and resolves when all that was sent is stored. Rejects with the first failure when
	 * none is on its way any more.
	 */
	settled(): Promise<void>;
	/** As `settled`, after sending the rest too, however short. */
	flush(): Promise<void>;
	/** The bytes that weren't sent, a full part at most; valid until the next `take`. */
	rest(): Cut;
};

/**
 * How many parts are on their way at once. While they are, one more is filled: all of an append's memory is `inFlight +
 * 1` buffers.
 */
const inFlight = 3;

/**
 * Cuts what it takes into parts of `partBytes`, the first of them at `start`, and hands each full one to `send`, whose
 * bytes stay as they are until it settles. `onFailure` is called with the first failure of `send`, at once.
 */
export function createPartQueue(options: {
	readonly start: number;
	readonly partBytes: number;
	/** Size of the buffers: `partBytes`, or less where less can come. */
	readonly bufferBytes: number;
	readonly allocate: (bytes: number) => Uint8Array;
	/** What the parts are summed by. */
	readonly by: SumName;
	readonly send: (part: Cut) => Promise<void>;
	readonly onFailure: (error: unknown) => void;
}): PartQueue {
	const { partBytes, bufferBytes, allocate, by, send, onFailure } = options;
	const free: Uint8Array[] = [];
	const running = new Set<Promise<void>>();
	let failure: { readonly reason: unknown } | undefined;
	let start = options.start;
	let buffer: Uint8Array | undefined;
	let filled = 0;
	let hash: Hash = createHash(by);

	const rest = (): Cut => ({
		start,
		bytes: buffer?.subarray(0, filled) ?? new Uint8Array(),
		by,
		sum: hash.copy().digest(),
	});
	const throwFailure = () => {
		if (failure) throw failure.reason;
	};

	async function dispatch(): Promise<void> {
		while (running.size >= inFlight) await Promise.race(running);
		throwFailure();
		const part = rest();
		const used = buffer;
		const sending = send(part)
			.catch((reason: unknown) => {
				if (failure) return;
				failure = { reason };
				onFailure(reason);
			})
			.finally(() => {
				running.delete(sending);
				if (used) free.push(used);
			});
		running.add(sending);
		start += filled;
		buffer = undefined;
		filled = 0;
		hash = createHash(by);
	}

	async function settle(leastBytes: number): Promise<void> {
		if (filled >= leastBytes) await dispatch();
		while (running.size > 0) await Promise.race(running);
		throwFailure();
	}

	return {
		rest,
		async take(bytes) {
			throwFailure();
			for (let at = 0; at < bytes.length; ) {
				if (filled === partBytes) await dispatch();
				buffer ??= free.pop() ?? allocate(bufferBytes);
				const piece = bytes.subarray(at, at + partBytes - filled);
				buffer.set(piece, filled);
				hash.update(piece);
				filled += piece.length;
				at += piece.length;
			}
		},
		settled: () => settle(partBytes),
		flush: () => settle(1),
	};
}

import { createHash, type Hash } from "node:crypto";
import type { Checked, SumName } from "../client/body-sum.ts";

/** The bytes of one part, and where they begin in the upload. */
export type Cut = Checked & { readonly start: number };

export type PartQueue = {
	/**
	 * Copies the bytes. Sends a full part as soon as another byte follows it. Waits while too many parts are being sent.
	 * Rejects once a part has failed.
	 */
	take(bytes: Uint8Array): Promise<void>;
	/**
	 * Sends the rest if it is a full part, and resolves when all sent parts are stored. Rejects with the first failure
	 * once no part is being sent any more.
	 */
	settled(): Promise<void>;
	/** Like `settled`, but sends the rest first, however short it is. */
	flush(): Promise<void>;
	/** Returns the bytes that weren't sent, at most a full part. They are valid until the next `take`. */
	rest(): Cut;
};

/** How many parts are sent at once. One more is filled meanwhile: an append uses `inFlight + 1` buffers in all. */
const inFlight = 3;

/**
 * Cuts the bytes that it takes into parts of `partBytes`, the first of which begins at `start`, and passes each full
 * one to `send`. A part's bytes don't change until `send` settles. `onFailure` is called at once with the first failure
 * of `send`.
 */
export function createPartQueue(options: {
	readonly start: number;
	readonly partBytes: number;
	/** The size of the buffers: `partBytes`, or less if fewer bytes can come. */
	readonly bufferBytes: number;
	readonly allocate: (bytes: number) => Uint8Array;
	/** The checksum of the parts. */
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

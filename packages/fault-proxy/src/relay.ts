import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Direction } from "./fault.ts";
import type { Strike } from "./rules.ts";

/** The connection is to be cut now. */
export class Cut extends Error {
	override readonly name = "Cut";
}

/** Slow bodies come in this many pieces a second. */
const piecesPerSecond = 20;

/** Rejects with the signal's reason if it aborts before `promise` settles. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const abort = () => reject(signal.reason);
		if (signal.aborted) abort();
		else signal.addEventListener("abort", abort, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
	});
}

/** Carries out a cut or a hold when its position is reached. */
export async function breakOff(strike: Strike, signal: AbortSignal): Promise<void> {
	strike.struck();
	if (strike.fault.kind === "cut") throw new Cut();
	await unlessAborted(strike.released, signal);
}

/**
 * Passes a body on, one chunk at a time, so that a slow reader slows the writer. Applies what `strike` does to bodies
 * in `direction`. Rejects with {@link Cut} when a cut is due (the reader's system has what passed before), or with the
 * signal's reason. It doesn't end `to`.
 */
export async function relay(
	from: Readable,
	to: Writable,
	{
		direction,
		strike,
		signal,
		onBytes,
	}: { direction: Direction; strike: Strike | null; signal: AbortSignal; onBytes(count: number): void },
): Promise<void> {
	const pass = async (bytes: Uint8Array) => {
		if (bytes.length === 0) return;
		const written = new Promise<void>((resolve, reject) =>
			to.write(bytes, (error) => (error ? reject(error) : resolve())),
		);
		await unlessAborted(written, signal);
		onBytes(bytes.length);
	};
	const fault = strike && "direction" in strike.fault && strike.fault.direction === direction ? strike.fault : null;
	let passed = 0;
	// Destroying a request takes its connection with it, on which the answer may still have to pass.
	for await (const chunk of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
		if (fault?.kind === "slow") {
			const step = Math.max(1, Math.floor(fault.bytesPerSecond / piecesPerSecond));
			for (let at = 0; at < chunk.length; at += step) {
				const piece = chunk.subarray(at, at + step);
				await sleep((piece.length / fault.bytesPerSecond) * 1000, undefined, { signal });
				await pass(piece);
			}
			continue;
		}
		const due =
			fault && fault.afterBytes > 0 && passed <= fault.afterBytes && passed + chunk.length > fault.afterBytes
				? fault.afterBytes - passed
				: null;
		await pass(chunk.subarray(0, due ?? chunk.length));
		if (strike && due !== null) {
			await breakOff(strike, signal);
			await pass(chunk.subarray(due));
		}
		passed += chunk.length;
	}
}

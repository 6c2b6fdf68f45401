import { open } from "node:fs/promises";
import { isReelmillError } from "@reelmill/client";
import { machineFaultOf } from "@reelmill/media";
import { backoff, type Sleep } from "../retry.ts";
import { UnguardedError } from "../service-client/bucket.ts";

export type DownloadOptions = {
	readonly signal: AbortSignal;
	readonly wait: Sleep;
	/** A connection that brings no byte for so many milliseconds is given up. */
	readonly idleMilliseconds: number;
};

export type Download = {
	/** Asks for the bytes from an offset on. */
	readonly request: (from: number, signal: AbortSignal) => Promise<Response>;
	readonly size: number;
	readonly path: string;
	/** The part that is wanted, which goes to its place in a file that is there already (default: all of a new file). */
	readonly part?: { readonly offset: number; readonly length: number };
};

/** How many consecutive requests may fail without a further byte. */
const mostFailures = 8;

/** The file was replaced since its size was told: bytes of two files are none of either. */
class ReplacedError extends Error {}

/** The same request would get the same answer again, or find no room again. */
const isFinal = (error: unknown): boolean =>
	error instanceof UnguardedError ||
	error instanceof ReplacedError ||
	machineFaultOf(error) !== null ||
	isReelmillError(error, "storage_backend_unsupported") ||
	(isReelmillError(error) &&
		error.status >= 400 &&
		error.status < 500 &&
		error.code !== "rate_limited" &&
		error.code !== "unauthorized");

/** The offset of an answer's first byte. A server that doesn't support ranges starts over. */
async function offsetOf(response: Response, asked: number, size: number): Promise<number> {
	if (response.status !== 206) return 0;
	const range = /^bytes (\d+)-\d+\/(\d+)?/.exec(response.headers.get("content-range") ?? "");
	if (range?.[2] !== undefined && Number(range[2]) !== size) {
		await response.body?.cancel();
		throw new ReplacedError(`The source has ${range[2]} bytes now, and the job says ${size}.`);
	}
	return range?.[1] === undefined ? asked : Number(range[1]);
}

/**
 * Fetches a file of a known size, or a part of it. If the connection breaks or falls silent, the next request begins at
 * the byte that was reached. Rejects with the last error after eight consecutive failures without a further byte, at once
 * with an error that stays (such as `file_not_found`, a full disk or a file of another size), and with the signal's reason
 * when the signal aborts.
 */
export async function download(
	{ request, size, path, part }: Download,
	{ signal, wait, idleMilliseconds }: DownloadOptions,
): Promise<void> {
	const file = await open(path, part === undefined ? "w" : "r+");
	const end = part === undefined ? size : part.offset + part.length;
	let received = part?.offset ?? 0;
	const receive = async () => {
		const idle = new AbortController();
		const timer = setTimeout(() => idle.abort(new Error("The source stopped coming.")), idleMilliseconds);
		try {
			const response = await request(received, AbortSignal.any([signal, idle.signal]));
			const offset = await offsetOf(response, received, size);
			if (offset > received)
				throw new Error(`The source was asked for from byte ${received} on and came from ${offset} on.`);
			received = offset;
			if (response.body === null) throw new Error("The source came without a body.");
			for await (const chunk of response.body) {
				timer.refresh();
				await file.write(chunk, 0, chunk.length, received);
				received += chunk.length;
				// Otherwise the garbage collector, which counts this memory, goes through the whole heap again and again.
				if (chunk.byteLength === chunk.buffer.byteLength) chunk.buffer.transfer(0);
				if (received > size) throw new Error(`The source is longer than the ${size} bytes that the job says.`);
				// A server that doesn't support ranges goes on with the rest.
				if (part !== undefined && received >= end) break;
			}
			if (received < end) throw new Error(`The source broke off after ${received} of ${end} bytes.`);
		} finally {
			clearTimeout(timer);
		}
	};
	try {
		for (let failures = 0; received < end; ) {
			signal.throwIfAborted();
			const before = received;
			try {
				await receive();
			} catch (error) {
				signal.throwIfAborted();
				failures = received > before ? 1 : failures + 1;
				if (isFinal(error) || received > size || failures >= mostFailures) throw error;
				await wait(backoff(failures), signal);
			}
		}
	} finally {
		await file.close();
	}
}

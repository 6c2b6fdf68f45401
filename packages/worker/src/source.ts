import { open } from "node:fs/promises";
import { isReelmillError } from "@reelmill/client";
import { idleTimer } from "./idle-timer.ts";
import { UnguardedError } from "./internal-plane.ts";
import { backoff, type Sleep } from "./retry.ts";

export type DownloadOptions = {
	/** Asks for the bytes from an offset on. */
	readonly request: (from: number, signal: AbortSignal) => Promise<Response>;
	readonly size: number;
	readonly path: string;
	readonly signal: AbortSignal;
	readonly wait: Sleep;
	/** A connection that brings nothing for so many milliseconds is given up. */
	readonly idleMilliseconds: number;
};

const mostFailures = 8;

/** Codes that the same request will get again. */
const isFinal = (error: unknown): boolean =>
	error instanceof UnguardedError ||
	isReelmillError(error, "storage_backend_unsupported") ||
	(isReelmillError(error) &&
		error.status >= 400 &&
		error.status < 500 &&
		error.code !== "rate_limited" &&
		error.code !== "unauthorized");

/** Where a response's bytes belong: a server that doesn't know ranges starts over. */
function offsetOf(response: Response, asked: number): number {
	if (response.status !== 206) return 0;
	const start = /^bytes (\d+)-/.exec(response.headers.get("content-range") ?? "")?.[1];
	return start === undefined ? asked : Number(start);
}

/**
 * Fetches the source into a file. A connection that breaks or falls silent is taken up again at the byte reached; eight
 * failures in a row without a further byte reject with the last error, a final answer (`file_not_found` and the like)
 * at once, an abort with the signal's reason.
 */
export async function download({
	request,
	size,
	path,
	signal,
	wait,
	idleMilliseconds,
}: DownloadOptions): Promise<void> {
	const file = await open(path, "w");
	let received = 0;
	const attempt = async () => {
		const cut = new AbortController();
		const idle = idleTimer(idleMilliseconds, () => cut.abort(new Error("The source stopped coming.")));
		try {
			const response = await request(received, AbortSignal.any([signal, cut.signal]));
			const offset = offsetOf(response, received);
			if (offset > received)
				throw new Error(`The source was asked for from byte ${received} on and came from ${offset} on.`);
			received = offset;
			if (response.body === null) throw new Error("The source came without a body.");
			for await (const chunk of response.body) {
				idle.touch();
				await file.write(chunk, 0, chunk.length, received);
				received += chunk.length;
				if (received > size) throw new Error(`The source is longer than the ${size} bytes that the job says.`);
			}
			if (received < size) throw new Error(`The source broke off after ${received} of ${size} bytes.`);
		} finally {
			idle.stop();
		}
	};
	try {
		for (let failures = 0; received < size; ) {
			signal.throwIfAborted();
			const before = received;
			try {
				await attempt();
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

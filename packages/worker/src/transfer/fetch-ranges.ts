import { open } from "node:fs/promises";
import type { Job } from "@reelmill/contracts";
import { backoff, type Sleep } from "../retry.ts";
import type { ServiceClient } from "../service-client/service-client.ts";
import { isFinal, mostFailures } from "./download.ts";

export type RangesOptions = {
	readonly service: Pick<ServiceClient, "sourceRange">;
	readonly job: Job;
	/** The file that takes the bytes. It gets the source's size, and holes where nothing was fetched. */
	readonly path: string;
	readonly signal: AbortSignal;
	readonly wait: Sleep;
	/** A connection that brings no byte for so many milliseconds is given up. */
	readonly idleMilliseconds: number;
};

/** A file of which only those bytes are there that were needed. */
export type FetchedRanges = {
	/**
	 * Fetches bytes to their place in the file, unless all of them are there. Rejects as `download` does, but after eight
	 * failures in all.
	 */
	need(range: { readonly offset: number; readonly length: number }): Promise<void>;
	/** How many bytes were fetched. */
	bytes(): number;
	close(): Promise<void>;
};

/** Opens a file that takes bytes of a job's source as they are needed. */
export async function fetchRanges({
	service,
	job,
	path,
	signal,
	wait,
	idleMilliseconds,
}: RangesOptions): Promise<FetchedRanges> {
	const size = job.source.file_size;
	const file = await open(path, "w");
	await file.truncate(size);
	const fetched: { readonly offset: number; readonly end: number }[] = [];
	let bytes = 0;
	const fetch = async (offset: number, end: number): Promise<void> => {
		const idle = new AbortController();
		const timer = setTimeout(() => idle.abort(new Error("The source stopped coming.")), idleMilliseconds);
		try {
			const asked = { offset, length: end - offset };
			const response = await service.sourceRange(job, asked, AbortSignal.any([signal, idle.signal]));
			// A server that doesn't support ranges sends all, from the beginning.
			let at = response.status === 206 ? offset : 0;
			if (response.body === null) throw new Error("The source came without a body.");
			for await (const chunk of response.body) {
				timer.refresh();
				bytes += chunk.length;
				await file.write(chunk, 0, Math.min(chunk.length, size - at), at);
				at += chunk.length;
				if (at >= end) break;
			}
			if (at < end) throw new Error(`The source broke off after ${at} of ${end} bytes.`);
		} finally {
			clearTimeout(timer);
		}
	};
	return {
		async need({ offset, length }) {
			const end = Math.min(offset + length, size);
			if (offset >= end || fetched.some((one) => one.offset <= offset && one.end >= end)) return;
			for (let failures = 1; ; failures += 1) {
				try {
					await fetch(offset, end);
					fetched.push({ offset, end });
					return;
				} catch (error) {
					signal.throwIfAborted();
					if (isFinal(error) || failures >= mostFailures) throw error;
					await wait(backoff(failures), signal);
				}
			}
		},
		bytes: () => bytes,
		close: () => file.close(),
	};
}

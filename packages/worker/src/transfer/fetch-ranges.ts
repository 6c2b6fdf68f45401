import { open } from "node:fs/promises";
import type { Job } from "@reelmill/contracts";
import type { ServiceClient } from "../service-client/service-client.ts";
import { type DownloadOptions, download } from "./download.ts";

export type RangesOptions = DownloadOptions & {
	readonly service: Pick<ServiceClient, "sourceRange">;
	readonly job: Job;
	/** The file that takes the bytes. It gets the source's size, and holes where nothing was fetched. */
	readonly path: string;
};

/** A file of which only those bytes are there that were needed. */
export type FetchedRanges = {
	/** Fetches bytes to their place in the file, unless all of them are there. Rejects as `download` does. */
	need(range: { readonly offset: number; readonly length: number }): Promise<void>;
	/** How many bytes were fetched. */
	bytes(): number;
};

/** Makes a file that takes bytes of a job's source as they are needed. */
export async function fetchRanges({ service, job, path, ...options }: RangesOptions): Promise<FetchedRanges> {
	const size = job.source.file_size;
	const file = await open(path, "w");
	await file.truncate(size);
	await file.close();
	const fetched: { readonly offset: number; readonly end: number }[] = [];
	return {
		async need({ offset, length }) {
			const end = Math.min(offset + length, size);
			if (offset >= end || fetched.some((one) => one.offset <= offset && one.end >= end)) return;
			const request = (from: number, signal: AbortSignal) => service.sourceRange(job, { from, end }, signal);
			await download({ request, size, path, part: { offset, length: end - offset } }, options);
			fetched.push({ offset, end });
		},
		bytes: () => fetched.reduce((sum, { offset, end }) => sum + end - offset, 0),
	};
}

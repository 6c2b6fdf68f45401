import type { ByteStores, Bytes, ObjectStorage, OpenedBucket, UploadStore } from "../ports/index.ts";
import type { InTime } from "./in-time.ts";
import type { Lease } from "./openings.ts";

/** Told of every use of stores: what it came to. `failed` answers the error to throw instead. */
export type Watch = { take(): Lease; worked(): Promise<void>; failed(error: unknown): Promise<unknown> };

type Survey<Store extends UploadStore | ObjectStorage> = Parameters<NonNullable<Store["survey"]>>[0];
async function* nothing(): AsyncGenerator<never> {}

type Found = { readonly size: number; readonly bytes: Bytes };

/**
 * Stores that are taken anew for each use, given back when it is over (with the last byte, where there are bytes to
 * read), and watched. What somebody waits for, and what no amount of bytes makes long, is done `inTime`.
 */
export function watchStores(
	capabilities: {
		uploads: UploadStore["capabilities"];
		outputs: ObjectStorage["capabilities"];
		copies: boolean;
		surveysUploads: boolean;
		surveysOutputs: boolean;
	},
	watch: Watch,
	inTime: InTime,
): ByteStores {
	/** Runs `work` and gives the bucket back, unless its answer `keeps` the lease. */
	const use = async <T>(
		work: (opened: OpenedBucket, lease: Lease) => Promise<T>,
		{ proves = true, keeps = () => false }: { proves?: boolean; keeps?: (answer: T) => boolean } = {},
	): Promise<T> => {
		let lease: Lease | undefined;
		try {
			lease = watch.take();
			const answer = await work(lease.opened, lease);
			if (proves) await watch.worked();
			if (!keeps(answer)) lease.release();
			return answer;
		} catch (error) {
			lease?.release();
			throw await watch.failed(error);
		}
	};
	const read = (find: (opened: OpenedBucket) => Promise<Found | null>): Promise<Found | null> =>
		use(
			async (opened, lease) => {
				const found = await inTime(find(opened));
				return found && { size: found.size, bytes: held(found.bytes, lease, watch) };
			},
			{ keeps: (found) => found !== null },
		);
	const list = <T>(all: (opened: OpenedBucket) => AsyncIterable<T>): AsyncIterable<T> => ({
		[Symbol.asyncIterator]() {
			const lease = watch.take();
			return held(all(lease.opened), lease, watch, inTime)[Symbol.asyncIterator]();
		},
	});

	return {
		outputs: {
			capabilities: capabilities.outputs,
			put: (key, bytes, options) => use(({ outputs }) => outputs.put(key, bytes, options)),
			get: (key, range) => read(({ outputs }) => outputs.get(key, range)),
			head: (key) => use(({ outputs }) => inTime(outputs.head(key))),
			delete: (key) => use(({ outputs }) => outputs.delete(key)),
			...(capabilities.copies && {
				copy: (from: string, to: string) => use(async ({ outputs }) => (await outputs.copy?.(from, to)) ?? null),
			}),
			list: (prefix) => list(({ outputs }) => outputs.list(prefix)),
			...(capabilities.surveysOutputs && {
				survey: (options: Survey<ObjectStorage>) => list(({ outputs }) => outputs.survey?.(options) ?? nothing()),
			}),
			presign: (key, request) => use(({ outputs }) => inTime(outputs.presign(key, request)), { proves: false }),
			deletePrefix: (prefix) => use(({ outputs }) => outputs.deletePrefix(prefix)),
		},
		uploads: {
			capabilities: capabilities.uploads,
			create: (id) => use(({ uploads }) => inTime(uploads.create(id))),
			size: (id) => use(({ uploads }) => inTime(uploads.size(id))),
			append: (id, offset, bytes, options) => use(({ uploads }) => uploads.append(id, offset, bytes, options)),
			read: (id, range) => read(({ uploads }) => uploads.read(id, range)),
			presign: (id, request) => use(({ uploads }) => inTime(uploads.presign(id, request)), { proves: false }),
			discard: (id) => use(({ uploads }) => uploads.discard(id)),
			list: () => list(({ uploads }) => uploads.list()),
			...(capabilities.surveysUploads && {
				survey: (options: Survey<UploadStore>) => list(({ uploads }) => uploads.survey?.(options) ?? nothing()),
			}),
		},
	};
}

/**
 * The same, each step done `inTime` where that is told, with the lease given back at the end, however it comes; also
 * where it is left before the first step.
 */
function held<T>(items: AsyncIterable<T>, lease: Lease, watch: Watch, inTime?: InTime): AsyncIterable<T> {
	return {
		[Symbol.asyncIterator]() {
			const iterator = items[Symbol.asyncIterator]();
			return {
				async next() {
					try {
						const next = iterator.next();
						const step = await (inTime ? inTime(next) : next);
						if (step.done) lease.release();
						return step;
					} catch (error) {
						lease.release();
						throw await watch.failed(error);
					}
				},
				async return() {
					try {
						await iterator.return?.();
					} finally {
						lease.release();
					}
					return { done: true, value: undefined };
				},
			};
		},
	};
}

import type { ByteStores, Bytes, ObjectStorage, OpenedBucket, UploadStore } from "../../ports/index.ts";
import type { BucketHandle } from "./bucket-pool.ts";
import type { InTime } from "./in-time.ts";

/** Told of every use of the stores and of its outcome. `failed` returns the error to throw instead. */
export type BucketAccess = { take(): BucketHandle; worked(): Promise<void>; failed(error: unknown): Promise<unknown> };

type Survey<Store extends UploadStore | ObjectStorage> = Parameters<NonNullable<Store["survey"]>>[0];
async function* nothing(): AsyncGenerator<never> {}

type Found = { readonly size: number; readonly bytes: Bytes };

/**
 * Stores whose bucket is taken from the pool for each use, and released when the use is over (with the last byte, if
 * there are bytes to read). An operation that somebody waits for, and whose time doesn't grow with the number of bytes,
 * is done `inTime`.
 */
export function createPooledStores(
	capabilities: {
		uploads: UploadStore["capabilities"];
		outputs: ObjectStorage["capabilities"];
		copies: boolean;
		surveysUploads: boolean;
		surveysOutputs: boolean;
	},
	access: BucketAccess,
	inTime: InTime,
): ByteStores {
	/** Runs `work` and releases the bucket, unless its answer `keeps` the handle. */
	const use = async <T>(
		work: (opened: OpenedBucket, handle: BucketHandle) => Promise<T>,
		{ proves = true, keeps = () => false }: { proves?: boolean; keeps?: (answer: T) => boolean } = {},
	): Promise<T> => {
		let handle: BucketHandle | undefined;
		try {
			handle = access.take();
			const answer = await work(handle.opened, handle);
			if (proves) await access.worked();
			if (!keeps(answer)) handle.release();
			return answer;
		} catch (error) {
			handle?.release();
			throw await access.failed(error);
		}
	};
	const read = (find: (opened: OpenedBucket) => Promise<Found | null>): Promise<Found | null> =>
		use(
			async (opened, handle) => {
				const found = await inTime(find(opened));
				return found && { size: found.size, bytes: held(found.bytes, handle, access) };
			},
			{ keeps: (found) => found !== null },
		);
	const list = <T>(all: (opened: OpenedBucket) => AsyncIterable<T>): AsyncIterable<T> => ({
		[Symbol.asyncIterator]() {
			const handle = access.take();
			return held(all(handle.opened), handle, access, inTime)[Symbol.asyncIterator]();
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
 * Iterates the same items, each step done `inTime` if that is given, and releases the handle at the end, however the
 * end comes, even if the iteration is left before its first step.
 */
function held<T>(
	items: AsyncIterable<T>,
	handle: BucketHandle,
	access: BucketAccess,
	inTime?: InTime,
): AsyncIterable<T> {
	return {
		[Symbol.asyncIterator]() {
			const iterator = items[Symbol.asyncIterator]();
			return {
				async next() {
					try {
						const next = iterator.next();
						const step = await (inTime ? inTime(next) : next);
						if (step.done) handle.release();
						return step;
					} catch (error) {
						handle.release();
						throw await access.failed(error);
					}
				},
				async return() {
					try {
						await iterator.return?.();
					} finally {
						handle.release();
					}
					return { done: true, value: undefined };
				},
			};
		},
	};
}

import { Readable } from "node:stream";
import { type ByteRange, checkId, interruptible, StorageError, type UploadStore } from "@reelmill/engine/ports";
import { type DataStore, Upload } from "@tus/utils";

type Stream = NodeJS.ReadableStream | undefined;

/** A DataStore, and what FileStore, S3Store, GCSStore and AzureStore have beside its methods. */
export type TusDataStore = DataStore & {
	read?(id: string): Stream | Promise<Stream>;
	readonly configstore?: { list?(): Promise<string[]> };
};

/** What a DataStore can't do, or not well. */
export type TusDataStoreOptions = {
	/** Lists the ids of all uploads (default: by the store's `configstore`, which FileStore has). */
	readonly ids?: () => AsyncIterable<string> | Promise<Iterable<string>>;
	/** Removes an upload (default: by the store's own `remove`, which GCSStore and AzureStore don't have). */
	readonly remove?: (id: string) => Promise<void>;
	/** Whether an error of `getUpload` says that there is no such upload (default: those with the status 404 or 410). */
	readonly isMissing?: (error: unknown) => boolean;
};

/**
 * Returns an upload store that keeps its bytes in a DataStore of tus. Nothing else may use the DataStore's folder or
 * bucket: the engine's sweeper discards uploads that it doesn't know. README.md says which promises of the port are
 * kept.
 *
 * @throws {TypeError} when the store can't list its uploads, and no `ids` are given.
 */
export function createTusDataStore(
	store: TusDataStore,
	{
		ids = store.configstore?.list?.bind(store.configstore),
		remove = (id) => store.remove(id),
		isMissing = hasStatusOfMissing,
	}: TusDataStoreOptions = {},
): UploadStore {
	if (!ids) throw new TypeError("This store can't list its uploads: give `ids`");
	const find = async (id: string): Promise<Upload | null> => {
		checkId(id);
		try {
			return await store.getUpload(id);
		} catch (error) {
			if (isMissing(error)) return null;
			throw failed(error);
		}
	};

	return {
		capabilities: { presign: false, download: store.read !== undefined },
		async create(id) {
			if ((await find(id)) === null) await store.create(new Upload({ id, offset: 0 })).catch(rethrow);
		},
		async size(id) {
			return (await find(id))?.offset ?? null;
		},
		async append(id, offset, bytes, { limit, signal }) {
			const upload = await find(id);
			if (upload?.offset !== offset)
				throw new RangeError(`The upload stands at ${upload?.offset ?? "nothing"}: none can be appended at ${offset}`);
			const source = interruptible(bytes, signal);
			let room = limit - offset;
			let isPassed = false;
			/** Resolves with `null` at the end, whatever it is: a DataStore keeps what came before an end, not before an error. */
			const next = async (): Promise<Uint8Array | null> => {
				while (!isPassed) {
					const step = await source.next().catch(() => null);
					if (!step || step.done) return null;
					const kept = step.value.subarray(0, room);
					isPassed = kept.length < step.value.length;
					room -= kept.length;
					if (kept.length > 0) return kept;
				}
				return null;
			};
			try {
				let first = await next();
				if (first) {
					if (upload.size !== limit) await store.declareUploadLength(id, limit).catch(rethrow);
					const stream: Readable = new Readable({
						async read() {
							const chunk = first ?? (await next());
							first = null;
							stream.push(chunk);
						},
					});
					const reached = await store.write(stream, id, offset).catch(rethrow);
					const now = await find(id);
					if (!now) throw new RangeError("The upload was discarded meanwhile");
					if (now.offset !== reached || reached !== limit - room)
						throw new StorageError("failed", "The store doesn't have all bytes that it was given");
				}
			} finally {
				source.leave();
			}
			if (isPassed) throw new RangeError(`The bytes pass the limit of ${limit}`);
			return limit - room;
		},
		async read(id, range) {
			const upload = await find(id);
			if (!store.read) throw new TypeError("This store gives no bytes");
			if (upload === null || upload.offset !== upload.size) return null;
			return { size: upload.offset, bytes: cut(async () => store.read?.(id), range) };
		},
		async presign(id) {
			checkId(id);
			throw new TypeError("A DataStore of tus has no URLs to sign");
		},
		async discard(id) {
			checkId(id);
			await remove(id).catch((error) => {
				if (!isMissing(error)) rethrow(error);
			});
			if (await find(id)) throw new StorageError("failed", "The store didn't remove the upload");
		},
		async *list() {
			for await (const id of await ids()) {
				const upload = await find(id);
				if (upload) yield { id, size: upload.offset };
			}
		},
	};
}

/** Reads the bytes, or those of a range, from a stream that begins with the first byte and is opened when it is asked. */
async function* cut(
	open: () => Promise<Stream>,
	{ start, end }: ByteRange = { start: 0, end: Infinity },
): AsyncGenerator<Uint8Array> {
	let at = 0;
	try {
		for await (const chunk of (await open()) ?? []) {
			const part = (chunk as Buffer).subarray(Math.max(start - at, 0), end + 1 - at);
			if (part.length > 0) yield part;
			at += chunk.length;
			if (at > end) return;
		}
	} catch (error) {
		throw failed(error);
	}
}

/** The errors of `@tus/utils` are objects with a status, as an HTTP answer has it. */
const hasStatusOfMissing = (error: unknown): boolean =>
	[404, 410].includes((error as { status_code?: number }).status_code ?? 0);

const failed = (cause: unknown): StorageError => new StorageError("failed", "The DataStore failed", { cause });
const rethrow = (error: unknown): never => {
	throw failed(error);
};

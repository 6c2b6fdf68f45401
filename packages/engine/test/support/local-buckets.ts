import { access, mkdir, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import {
	type Bucket,
	type BucketOpener,
	type Bytes,
	type ObjectStorage,
	type StorageCapabilities,
	StorageError,
	type UploadStore,
} from "@reelmill/engine";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";

export type LocalBuckets = BucketOpener & {
	/** Makes a bucket that these keys open. */
	make(name: string, keys: Record<string, string>): Promise<void>;
	/** The same bucket with other keys. */
	setKeys(name: string, keys: Record<string, string>): void;
	/** Whether the server of buckets answers at all. */
	reachable: boolean;
	/** Awaited by every operation in a bucket, to hold it up. */
	wait: (bucket: string) => Promise<void>;
	/** What is refused although the key is right. */
	forbidden: (operation: string, key: string) => boolean;
	capabilities: StorageCapabilities;
	/** Whether its outputs can be copied. */
	copies: boolean;
	/** Every operation so far. */
	readonly operations: { bucket: string; operation: string; key: string }[];
	readonly opened: { bucket: Bucket; closed: boolean }[];
	/** A bucket's outputs and uploads, past all keys. */
	files(name: string): { outputs: ObjectStorage; uploads: UploadStore };
	/** The keys of its outputs, and the ids of its uploads. */
	keysIn(name: string): Promise<string[]>;
	uploadsIn(name: string): Promise<string[]>;
};

/** Buckets that are folders: real files behind the keys, names and refusals that a server of buckets has. */
export function createLocalBuckets(directory: string): LocalBuckets {
	const keysOf = new Map<string, Record<string, string>>();
	const files = (name: string) => ({
		outputs: createLocalObjectStorage({ directory: join(directory, name, "outputs") }),
		uploads: createLocalUploadStore({ directory: join(directory, name, "uploads") }),
	});
	const buckets: LocalBuckets = {
		reachable: true,
		wait: async () => undefined,
		forbidden: () => false,
		capabilities: { presign: true, download: true },
		copies: true,
		operations: [],
		opened: [],
		files,
		async keysIn(name) {
			const folder = join(directory, name, "outputs");
			const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
			const paths = entries
				.filter((entry) => entry.isFile())
				.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
			return paths.sort();
		},
		uploadsIn: (name) => Array.fromAsync(files(name).uploads.list(), ({ id }) => id),
		setKeys: (name, keys) => void keysOf.set(name, keys),
		async make(name, keys) {
			await mkdir(join(directory, name), { recursive: true });
			keysOf.set(name, keys);
		},
		open(bucket) {
			const state = { bucket, closed: false };
			buckets.opened.push(state);
			const { outputs, uploads } = files(bucket.bucket);
			const prefix = bucket.keyPrefix === "" ? "" : `${bucket.keyPrefix}/`;
			const check = async (operation: string, key: string): Promise<void> => {
				if (state.closed) throw new StorageError("failed", "the bucket is closed");
				buckets.operations.push({ bucket: bucket.bucket, operation, key });
				await buckets.wait(bucket.bucket);
				if (!buckets.reachable) throw new StorageError("unreachable", "Connection refused.");
				const isThere = await access(join(directory, bucket.bucket)).then(
					() => true,
					() => false,
				);
				if (!isThere) throw new StorageError("bucket", `There is no bucket ${bucket.bucket}.`);
				const { id, secret } = bucket.credentials ?? { id: "", secret: "" };
				if (keysOf.get(bucket.bucket)?.[id] !== secret) throw new StorageError("credentials", "The key is refused.");
				if (buckets.forbidden(operation, key)) throw new StorageError("credentials", `Not allowed: ${operation}.`);
			};
			const guarded = async <T>(operation: string, key: string, work: () => Promise<T>): Promise<T> => {
				await check(operation, key);
				return work();
			};
			async function* listed<T>(operation: string, key: string, all: () => AsyncIterable<T>): AsyncGenerator<T> {
				await check(operation, key);
				yield* all();
			}
			const noDownload = async () => Promise.reject(new TypeError("no download"));
			const url = (kind: string, key: string) => `bucket://${bucket.bucket}/${kind}/${key}`;
			const sign = async (kind: string, key: string): Promise<string> => {
				if (!buckets.capabilities.presign) throw new TypeError("no presigned URLs");
				return `${url(kind, key)}?signature`;
			};
			const { capabilities } = buckets;
			return {
				outputs: {
					capabilities,
					put: (key, bytes, options) =>
						guarded("put", key, () => outputs.put(prefix + key, bytes, options)).then(({ size }) => ({ key, size })),
					get: (key, range) =>
						capabilities.download ? guarded("get", key, () => outputs.get(prefix + key, range)) : noDownload(),
					head: (key) =>
						guarded("head", key, async () =>
							(await outputs.head(prefix + key)) === null
								? null
								: { key, size: (await outputs.head(prefix + key))?.size ?? 0 },
						),
					delete: (key) => guarded("delete", key, () => outputs.delete(prefix + key)),
					list: (under) =>
						listed("list", under, async function* () {
							for await (const { key, size } of outputs.list(prefix + under))
								yield { key: key.slice(prefix.length), size };
						}),
					survey: ({ prefix: under, after }) =>
						listed("survey", under, async function* () {
							for await (const object of outputs.survey?.({
								prefix: prefix + under,
								after: after === "" ? "" : prefix + after,
							}) ?? [])
								yield { ...object, key: object.key.slice(prefix.length) };
						}),
					...(buckets.copies && {
						copy: (from: string, to: string) =>
							guarded("copy", to, async () => {
								const copied = await outputs.copy?.(prefix + from, prefix + to);
								return copied ? { key: to, size: copied.size } : null;
							}),
					}),
					presign: (key) => sign("outputs", prefix + key),
					deletePrefix: (under) => guarded("deletePrefix", under, () => outputs.deletePrefix(prefix + under)),
				},
				uploads: {
					capabilities,
					create: (id) => guarded("create", id, () => uploads.create(id)),
					size: (id) => guarded("size", id, () => uploads.size(id)),
					append: (id, offset, bytes, options) =>
						guarded("append", id, () => uploads.append(id, offset, bytes, options)),
					read: (id, range) =>
						capabilities.download ? guarded("read", id, () => uploads.read(id, range)) : noDownload(),
					presign: (id) => sign("uploads", id),
					discard: (id) => guarded("discard", id, () => uploads.discard(id)),
					list: () => listed("listUploads", "", () => uploads.list()),
					survey: (options) =>
						listed("surveyUploads", "", async function* () {
							yield* uploads.survey?.(options) ?? [];
						}),
				},
				async fetchPresigned(address) {
					const [, name = "", kind, key = ""] = /^bucket:\/\/([^/]+)\/(\w+)\/(.+)\?signature$/.exec(address) ?? [];
					if (key === "") throw new StorageError("credentials", "The answer was 403.");
					await check("fetch", key);
					const found = kind === "outputs" ? await files(name).outputs.get(key) : await files(name).uploads.read(key);
					if (found === null) throw new StorageError("failed", "The answer was 404.");
					return collected(found.bytes);
				},
				async close() {
					state.closed = true;
				},
			};
		},
	};
	return buckets;
}

export async function collected(bytes: Bytes): Promise<Buffer> {
	const parts: Uint8Array[] = [];
	for await (const part of bytes) parts.push(part);
	return Buffer.concat(parts);
}

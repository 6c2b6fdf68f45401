import { LRUCache } from "lru-cache";
import type { Bucket, BucketOpener, OpenedBucket } from "../../ports/index.ts";
import type { Parts } from "../../system/index.ts";

/** A handle to an opened bucket. Whoever takes it releases it; releasing it twice has no effect. */
export type BucketHandle = { readonly opened: OpenedBucket; release(): void };

export type BucketPool = {
	/**
	 * Returns a handle to the bucket under this name, opened as `revision` says or as a newer one does. An older opened
	 * bucket is closed when its last user is done.
	 */
	take(name: string, revision: number, bucket: () => Bucket): BucketHandle;
	/** Closes the buckets that are not in use, and the others when their users are done. */
	close(): Promise<void>;
};

type Opening = { readonly opened: OpenedBucket; readonly revision: number; users: number; retired: boolean };

/** If more buckets than this are open, those used longest ago are closed. */
const most = 200;

export function createBucketPool(
	{ logger }: Pick<Parts, "logger">,
	{ buckets }: { buckets: BucketOpener },
): BucketPool {
	const closings = new Set<Promise<void>>();
	const closeIfUnused = (opening: Opening): void => {
		if (!opening.retired || opening.users > 0) return;
		const closing = opening.opened
			.close()
			.catch((error: unknown) => logger.warn({ error }, "a bucket could not be closed"));
		closings.add(closing);
		void closing.finally(() => closings.delete(closing));
	};
	const openings = new LRUCache<string, Opening>({
		max: most,
		dispose: (opening) => {
			opening.retired = true;
			closeIfUnused(opening);
		},
	});

	return {
		take(name, revision, bucket) {
			let opening = openings.get(name);
			if (opening === undefined || opening.revision < revision) {
				opening = { opened: buckets.open(bucket()), revision, users: 0, retired: false };
				openings.set(name, opening);
			}
			const taken = opening;
			let released = false;
			taken.users++;
			return {
				opened: taken.opened,
				release() {
					if (released) return;
					released = true;
					taken.users--;
					closeIfUnused(taken);
				},
			};
		},
		async close() {
			openings.clear();
			await Promise.all(closings);
		},
	};
}

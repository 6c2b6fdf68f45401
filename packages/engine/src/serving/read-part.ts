import type { ByteRange } from "../ports/index.ts";
import { checkSize, recordedBytes, type Stores } from "../storage/index.ts";
import type { LostFiles } from "./lost-files.ts";
import type { OpenedObjects } from "./opened-objects.ts";
import { bytesOfOpened, type ServedBytes } from "./served-bytes.ts";
import type { ServedVideo } from "./served-videos.ts";

/**
 * Returns a range of a video's file, which has `size` bytes by its record. If the storage can open objects, the bytes
 * come from the opened object, and an answer that nobody reads holds nothing.
 *
 * @throws {ReelmillError} `not_found` when the storage has no such file; `storage_unavailable` when it has another
 * size.
 */
export type ReadPart = (video: ServedVideo, key: string, range: ByteRange, size: number) => Promise<ServedBytes>;

export const createReadPart =
	({ stores, opened, lost }: { stores: Stores; opened: OpenedObjects; lost: LostFiles }): ReadPart =>
	async (video, key, range, size) => {
		const { outputs } = await stores.of(video.storage_profile_id);
		const length = range.end - range.start + 1;
		if (outputs.open === undefined || length === 0) {
			const object = await outputs.get(key, length === 0 ? undefined : range);
			if (object === null) throw lost.meet(video.id, key);
			return recordedBytes(object, size, length);
		}
		const take = async () => {
			const taken = await opened.take(`${video.id} ${key}`, async () => (await outputs.open?.(key)) ?? null);
			if (taken === null) throw lost.meet(video.id, key);
			return taken;
		};
		// The file is opened once here, so that its absence is known before an answer begins.
		const { object, release } = await take();
		release();
		checkSize(object.size, size);
		return bytesOfOpened(take, range.start, length, object.descriptor !== undefined);
	};

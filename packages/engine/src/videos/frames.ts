import { ReelmillError } from "@reelmill/contracts";
import type { Scope } from "../keys/index.ts";
import { createInTime, isJpeg, readRecorded, type Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import type { VideoStore } from "./store.ts";

export type Frames = {
	/**
	 * Returns a moderation frame (JPEG) whole, by its file name.
	 *
	 * @throws {ReelmillError} `video_not_found`; `invalid_path` when the name is no frame's; `not_found` when there is no
	 * such frame; `storage_backend_unsupported` when its storage returns no bytes; `storage_unavailable` when the bytes
	 * aren't the JPEG that was stored.
	 */
	read(scope: Scope, videoId: string, name: string): Promise<Uint8Array<ArrayBuffer>>;
};

/** Many times the size of a frame. */
const largest = 4 * 1024 * 1024;

export function createFrames({ clock }: Parts, { store, stores }: { store: VideoStore; stores: Stores }): Frames {
	const inTime = createInTime(clock);
	return {
		async read(scope, videoId, name) {
			const record = await store.find(videoId, scope);
			if (record === null) throw new ReelmillError("video_not_found");
			if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(name)) throw new ReelmillError("invalid_path");
			const path = `frames/${name}`;
			const { outputs } = record;
			const isThere = outputs !== null && Object.hasOwn(outputs.files, path);
			const frame = isThere && {
				key: outputs.prefix + path,
				size: outputs.files[path] as number,
				largest,
				isOfType: isJpeg,
			};
			const found = frame && (await readRecorded((await stores.of(record.storage_profile_id)).outputs, frame, inTime));
			if (!found) throw new ReelmillError("not_found", { message: "The video has no such frame." });
			return found;
		},
	};
}

import { ReelmillError } from "@reelmill/contracts";
import type { Scope } from "../keys/index.ts";
import { readable, type Stores } from "../storage/index.ts";
import type { VideoStore } from "./store.ts";

export type Frames = {
	/** A moderation frame (JPEG) whole, by its file name. Throws `video_not_found`, `invalid_path` for a name that isn't one, `not_found` for a frame that isn't there, `storage_backend_unsupported` where its storage gives no bytes. */
	read(scope: Scope, videoId: string, name: string): Promise<Uint8Array<ArrayBuffer>>;
};

export function createFrames({ store, stores }: { store: VideoStore; stores: Stores }): Frames {
	return {
		async read(scope, videoId, name) {
			const record = await store.find(videoId, scope);
			if (record === null) throw new ReelmillError("video_not_found");
			if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(name)) throw new ReelmillError("invalid_path");
			const path = `frames/${name}`;
			const isThere = record.outputs !== null && Object.hasOwn(record.outputs.files, path);
			const found = isThere ? await readable((await stores.of(record.storage_profile_id)).outputs).get(record.outputs.prefix + path) : null;
			if (found === null) throw new ReelmillError("not_found", { message: "The video has no such frame." });
			const parts: Uint8Array[] = [];
			for await (const part of found.bytes) parts.push(part);
			return Uint8Array.from(Buffer.concat(parts));
		},
	};
}

import { ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Stores } from "../../storage/index.ts";
import type { Parts } from "../../system/index.ts";
import { folderOf, type VideoRecord, type VideoStore } from "../../videos/index.ts";
import { type JobSource, storedFile } from "./job-source.ts";

/**
 * Creates the function that returns a file of the video that a clip is cut of, as the video has it now.
 *
 * @throws {ReelmillError} `file_not_found` when the record is no clip, its video is gone or has no such file; otherwise as
 * {@link storedFile}.
 */
export const createCutFile =
	({ database }: Parts, { store, stores }: { store: VideoStore; stores: Stores }) =>
	async ({ id }: VideoRecord, path: string): Promise<JobSource> => {
		const [clip] = await database.query<{ source_video_id: string }>(
			sql`select source_video_id from reelmill.clips where video_id = ${id}`,
		);
		const source = clip === undefined ? null : await store.find(clip.source_video_id);
		const outputs = source?.state === "available" ? source.outputs : null;
		if (source === null || outputs === null || !Object.hasOwn(outputs.files, path))
			throw new ReelmillError("file_not_found");
		const key = folderOf(outputs, path) + path;
		const contentType = "application/octet-stream";
		return storedFile(await stores.of(source.storage_profile_id), {
			...{ key, contentType },
			size: outputs.files[path] as number,
		});
	};

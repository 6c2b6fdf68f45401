import { isDeepStrictEqual } from "node:util";
import { ReelmillError } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import type { Scope } from "../keys/index.ts";
import type { Bytes } from "../ports/index.ts";
import type { Stores } from "../storage/index.ts";
import { createOneByOne, type Parts } from "../system/index.ts";
import type { AfterChange, Changes, Step, StoredOutputs, VideoRecord, VideoStore } from "../videos/index.ts";
import { type EditedFiles, editedOutputs, replacedFiles } from "./edited-outputs.ts";
import { createReadText, type ReadText } from "./read-text.ts";

/** A video that can be edited. */
export type FinishedVideo = VideoRecord & { readonly outputs: StoredOutputs };

/** A change of finished files, with the columns of the video that change beside them. */
export type Edit = EditedFiles & { readonly changes?: Pick<Changes, "transcript_status"> };

/** Changes finished files of videos. */
export type Edits = {
	/**
	 * Reads the video, asks `plan` what to change, and saves that over exactly the files that were read. On one server,
	 * edits of a video wait for each other. If an edit of another server came first, it reads and asks again, up to 20
	 * times. `plan` may throw to refuse, or return `null` to leave the video alone. If it is killed at any step, the video
	 * is as before or changed whole, and what is left over is deleted.
	 *
	 * @throws {ReelmillError} `video_not_found`; `invalid_state` when the video isn't available.
	 */
	change(
		scope: Scope,
		videoId: string,
		plan: (record: FinishedVideo, read: ReadText) => Promise<Edit | null>,
		step: Pick<Step, "audited" | "updates">,
	): Promise<FinishedVideo>;
	/**
	 * Returns the video, and a reader of its texts.
	 *
	 * @throws {ReelmillError} as `change`.
	 */
	find(scope: Scope, videoId: string): Promise<{ readonly record: FinishedVideo; readonly read: ReadText }>;
};

/**
 * Stores entries under `prefix`, which is noted for deletion before the first byte, then calls `name`, whose statement
 * takes the note back by `unnoted`. If anything fails, what was stored is removed.
 */
type StoreFolder = <T>(
	place: { readonly prefix: string; readonly profileId: string | null },
	entries: AsyncIterable<{ readonly path: string; readonly bytes: Bytes }>,
	name: (unnoted: Sql) => Promise<T>,
) => Promise<T>;

/** As many servers may edit one video at once, and each be overtaken by all others. */
const attempts = 20;
/** Another edit was saved first. */
class Overtaken extends Error {}

export function createEdits(
	{ clock, random }: Parts,
	{
		store,
		stores,
		storeFolder,
		afterChange,
	}: { store: VideoStore; stores: Stores; storeFolder: StoreFolder; afterChange: AfterChange },
): Edits {
	const readTextOf = createReadText({ clock }, stores);
	const oneByOne = createOneByOne();
	const find: Edits["find"] = async (scope, videoId) => {
		const record = await store.find(videoId, scope);
		if (record === null) throw new ReelmillError("video_not_found");
		const { state, outputs } = record;
		if (state !== "available" || outputs === null)
			throw new ReelmillError("invalid_state", {
				message: `Only an available video can be edited, and this one is ${state}.`,
			});
		return { record: { ...record, outputs }, read: readTextOf(outputs, record.storage_profile_id) };
	};
	const save = async (scope: Scope, before: FinishedVideo, edit: Edit, step: Pick<Step, "audited" | "updates">) => {
		const prefix = `${before.domain_id}/${before.id}/edits/${random.uuid()}/`;
		const outputs = editedOutputs(before.outputs, prefix, edit);
		const discards = replacedFiles(before.outputs, outputs);
		const name = async (unnoted?: Sql) => {
			let isOvertaken = false;
			const saved = await store.change(
				before.id,
				({ version, state, outputs: present }) => {
					isOvertaken =
						version !== before.version && (state !== before.state || !isDeepStrictEqual(present, before.outputs));
					return isOvertaken
						? null
						: {
								...step,
								changes: { ...edit.changes, outputs },
								discards,
								...(unnoted && { parts: [sql`named as (select id from saved)`, unnoted] }),
							};
				},
				scope,
				before,
			);
			if (saved === null) throw new ReelmillError("video_not_found");
			if (isOvertaken) throw new Overtaken();
			return saved;
		};
		const place = { prefix, profileId: before.storage_profile_id };
		const saved = edit.files.size === 0 ? await name() : await storeFolder(place, entriesOf(edit.files), name);
		await afterChange(saved);
		return { ...saved.record, outputs };
	};
	return {
		find,
		change: (scope, videoId, plan, step) =>
			oneByOne(`${scope.domainId}/${videoId}`, async () => {
				for (let attempt = 1; ; attempt++) {
					const { record, read } = await find(scope, videoId);
					const edit = await plan(record, read);
					if (edit === null) return record;
					try {
						return await save(scope, record, edit, step);
					} catch (error) {
						if (!(error instanceof Overtaken)) throw error;
						if (attempt === attempts)
							throw new ReelmillError("internal_error", { message: `video ${videoId} changed too often to be edited` });
					}
				}
			}),
	};
}

/** Returns files as what is stored of an archive. */
export async function* entriesOf(
	files: ReadonlyMap<string, Uint8Array>,
): AsyncGenerator<{ path: string; bytes: Bytes }> {
	for (const [path, bytes] of files) yield { path, bytes: once(bytes) };
}

async function* once(bytes: Uint8Array): Bytes {
	yield bytes;
}

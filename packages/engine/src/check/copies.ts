import { ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Database, SurveyedObject } from "../ports/index.ts";
import { isServed } from "../serving/index.ts";
import { publishedPrefix } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import { isCopied, type StoredOutputs } from "../videos/index.ts";
import type { Inspect, Inspection } from "./inspection.ts";
import { named } from "./inspection.ts";
import type { Orphans } from "./orphans.ts";
import { notesBetween } from "./rows.ts";

type PublicationRow = {
	readonly video_id: string;
	readonly id: string;
	readonly domain_id: string | null;
	readonly outputs: StoredOutputs | null;
	readonly copied_at: Date | null;
	readonly changed_at: Date;
};

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const ofPublication = new RegExp(`^public/(${uuid})/(${uuid})/(.+)$`);
const partObjects = 3000;
const mostRows = 300;
const nobody = "00000000-0000-0000-0000-000000000000";

/** What lies in `public/` of one video: by publication, by path. */
type Copies = Map<string, Map<string, SurveyedObject>>;

/** Has the files of a publication copied anew. Returns false if it was withdrawn meanwhile. Idempotent. */
export const copyAgain = async (database: Database, publicationId: string, now: Date): Promise<boolean> =>
	(
		await database.query(
			sql`update reelmill.publications set copied_at = null, attempts = 0, not_before = ${now} where id = ${publicationId} returning id`,
		)
	).length > 0;

/** Compares the copies that anyone may read with the publications, in the order of their videos, in both directions. */
export function createCopiesInspection({ database }: Parts, { orphans }: { orphans: Orphans }): Inspect {
	const publications = (inspection: Inspection, after: string, last: string | null) =>
		database.query<PublicationRow>(sql`
			select w.video_id, w.id, w.copied_at, v.domain_id, v.outputs, greatest(coalesce(w.copied_at, w.not_before), v.updated_at) as changed_at
			from reelmill.publications w left join reelmill.videos v on v.id = w.video_id
			where w.video_id > ${after === "" ? nobody : after}::uuid and ${last === null ? sql`true` : sql`w.video_id <= ${last}::uuid`} and ${inspection.place.holds(sql`w.storage_profile_id`)}
			order by w.video_id limit ${mostRows}`);

	/** Reads whole videos, in order. Videos of other domains than the place's own are left to those domains' places. */
	const readPart = async (
		inspection: Inspection,
		after: string,
	): Promise<{ videos: Map<string, Copies>; isEnd: boolean }> => {
		const survey = inspection.stores.outputs.survey?.({
			prefix: "public/",
			after: after === "" ? "" : `public/${after}0`,
		});
		if (survey === undefined) throw new ReelmillError("storage_backend_unsupported");
		const videos = new Map<string, Copies>();
		let objects = 0;
		for await (const object of survey) {
			const [, videoId = "", id = "", path = ""] = ofPublication.exec(object.key) ?? [];
			objects++;
			if (videoId === "") continue;
			if (!videos.has(videoId)) {
				if (objects > partObjects || (inspection.isOver() && videos.size > 0)) return { videos, isEnd: false };
				videos.set(videoId, new Map());
			}
			const copies = videos.get(videoId) as Copies;
			copies.set(id, (copies.get(id) ?? new Map()).set(path, object));
		}
		return { videos, isEnd: true };
	};

	const lookAtPublication = async (
		inspection: Inspection,
		row: PublicationRow,
		copies: ReadonlyMap<string, SurveyedObject> | undefined,
	): Promise<void> => {
		const { outputs } = row;
		if (row.copied_at === null || outputs === null || inspection.isTooYoung([row.changed_at])) return;
		const missing = Object.entries(outputs.files)
			.filter(([path, size]) => isServed(path) && isCopied(outputs, path) && copies?.get(path)?.size !== size)
			.map(([path]) => path);
		if (missing.length === 0) return;
		await inspection.found(
			{
				kind: "public_copy_missing",
				reference: publishedPrefix(row.video_id, row.id),
				...(row.domain_id !== null && { domainId: row.domain_id }),
				videoId: row.video_id,
				message: `${missing.length} copies are not stored in their size: ${named(missing)}.`,
			},
			inspection.requested.repair ? () => copyAgain(database, row.id, inspection.now) : null,
		);
	};

	return async (inspection, after) => {
		if (inspection.place.profileId === null) return null;
		const part = await readPart(inspection, after);
		const lastRead = part.isEnd ? null : ([...part.videos.keys()].at(-1) ?? null);
		const rows = await publications(inspection, after, lastRead);
		const upTo = rows.length === mostRows ? (rows.at(-1)?.video_id ?? null) : lastRead;
		const byVideo = new Map(rows.map((row) => [row.video_id, row]));
		const ids = [...new Set([...part.videos.keys(), ...byVideo.keys()])]
			.filter((id) => upTo === null || id <= upTo)
			.sort();
		const [first, last] = [ids[0], ids.at(-1)];
		const notes =
			first === undefined
				? []
				: await notesBetween(database, inspection.place, "outputs", [`public/${first}/`, `public/${last}0`]);
		// The publication may be one of another profile that leads to the same bucket.
		const known = new Set(
			(
				await database.query<{ id: string }>(
					sql`select id from reelmill.publications where video_id = any(${ids}::uuid[])`,
				)
			).map(({ id }) => id),
		);

		for (const videoId of ids) {
			const [row, copies] = [byVideo.get(videoId), part.videos.get(videoId)];
			inspection.saw(
				row === undefined ? 0 : 1,
				[...(copies?.values() ?? [])].reduce((sum, each) => sum + each.size, 0),
			);
			if (row !== undefined) await lookAtPublication(inspection, row, copies?.get(row.id));
			for (const [id, objects] of copies ?? []) {
				const reference = publishedPrefix(videoId, id);
				if (known.has(id) || notes.some((note) => reference.startsWith(note.reference))) continue;
				if (inspection.isTooYoung([...objects.values()].map(({ modifiedAt }) => modifiedAt))) continue;
				const message = `${objects.size} copies that anyone may read, of a video that is not public, or not known.`;
				const remove = inspection.requested.removeOrphans ? () => orphans.remove(inspection, [reference]) : null;
				await inspection.found({ kind: "public_copies_unused", reference, videoId, message }, remove);
			}
			if (inspection.isOver()) return videoId;
		}
		return upTo;
	};
}

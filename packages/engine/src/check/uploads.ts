import { ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { SurveyedUpload } from "../ports/index.ts";
import type { Parts } from "../system/index.ts";
import type { Inspect, Inspection } from "./inspection.ts";
import type { Losses } from "./losses.ts";
import type { Orphans } from "./orphans.ts";
import { type CheckedRow, notesBetween, rowsOf } from "./rows.ts";

const partUploads = 500;
const mostWaiting = 500;
const nobody = "00000000-0000-0000-0000-000000000000";

/**
 * Compares uploads with the rows that wait for them, in the order of their ids, in both directions. No row knows how
 * far a pending upload has come.
 */
export function createUploadsInspection(
	{ database }: Parts,
	{ losses, orphans }: { losses: Losses; orphans: Orphans },
): Inspect {
	/** Returns the videos that are to be encoded and that nobody works on, after `after` up to `last`. */
	const waiting = (inspection: Inspection, after: string, last: string | null) =>
		database.query<{ id: string }>(sql`
			select w.id from (
				select v.id, v.storage_profile_id from reelmill.videos v where v.state = 'uploaded' and v.deleted_at is null
				union all
				select v.id, v.storage_profile_id from reelmill.jobs j join reelmill.videos v on v.id = j.id where j.lock is null and v.deleted_at is null) w
			where w.id > ${after === "" ? nobody : after}::uuid and ${last === null ? sql`true` : sql`w.id <= ${last}::uuid`} and ${inspection.place.holds(sql`w.storage_profile_id`)}
			order by w.id limit ${mostWaiting}`);

	const isNeeded = ({ state, deleted_at }: CheckedRow): boolean =>
		deleted_at === null &&
		(state === "pending_upload" ||
			state === "uploaded" ||
			state === "queued" ||
			state === "locked" ||
			state === "encoding");
	const isWaiting = ({ state, clip }: CheckedRow): boolean => !clip && (state === "uploaded" || state === "queued");

	const readPart = async (
		inspection: Inspection,
		after: string,
	): Promise<{ uploads: SurveyedUpload[]; isEnd: boolean }> => {
		const uploads: SurveyedUpload[] = [];
		const survey = inspection.stores.uploads.survey?.({ after });
		if (survey === undefined) throw new ReelmillError("storage_backend_unsupported");
		for await (const upload of survey) {
			uploads.push(upload);
			if (uploads.length === partUploads || inspection.isOver()) return { uploads, isEnd: false };
		}
		return { uploads, isEnd: true };
	};

	return async (inspection, after) => {
		const part = await readPart(inspection, after);
		const lastRead = part.isEnd ? null : (part.uploads.at(-1)?.id ?? null);
		const wanted = await waiting(inspection, after, lastRead);
		const isCut = wanted.length === mostWaiting;
		const upTo = isCut ? (wanted.at(-1)?.id ?? null) : lastRead;
		const uploads = new Map(
			part.uploads.filter(({ id }) => upTo === null || id <= upTo).map((upload) => [upload.id, upload]),
		);
		const ids = [...new Set([...uploads.keys(), ...wanted.map(({ id }) => id)])].sort();
		const rows = new Map((await rowsOf(database, inspection.place, ids)).map((row) => [row.id, row]));
		const [first, last] = [ids[0], ids.at(-1)];
		const notes =
			first === undefined ? [] : await notesBetween(database, inspection.place, "upload", [first, `${last}0`]);
		const noted = new Set(notes.map(({ reference }) => reference));

		for (const id of ids) {
			const [row, upload] = [rows.get(id), uploads.get(id)];
			inspection.saw(row === undefined ? 0 : 1, upload === undefined ? 0 : 1);
			const isYoung = inspection.isTooYoung([upload?.modifiedAt, row?.updated_at]);
			if (!isYoung && row?.here && isNeeded(row)) {
				if (isWaiting(row) && (upload === undefined || upload.size < row.file_size))
					await losses.ofSource(inspection, row, upload?.size ?? null);
			} else if (!isYoung && upload !== undefined && !noted.has(id) && (row === undefined || !isNeeded(row))) {
				const whose =
					row === undefined
						? "that is not known"
						: row.deleted_at === null
							? `that is ${row.state}`
							: "that was deleted";
				const about = { reference: id, ...(row && { domainId: row.domain_id, videoId: id }) };
				const remove = inspection.requested.removeOrphans ? () => orphans.remove(inspection, [id], "upload") : null;
				await inspection.found(
					{ kind: "upload_unused", ...about, message: `${upload.size} bytes of a video ${whose}.` },
					remove,
				);
			}
			if (inspection.isOver()) return id;
		}
		return upTo;
	};
}

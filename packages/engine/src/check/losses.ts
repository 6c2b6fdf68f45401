import sql from "sql-template-tag";
import type { ObjectStorage, SurveyedObject } from "../ports/index.ts";
import type { Parts } from "../system/index.ts";
import {
	type AfterChange,
	type Discard,
	folderOf,
	type Step,
	type StoredOutputs,
	type VideoStore,
} from "../videos/index.ts";
import { withFirstFiles } from "./first-files.ts";
import { type Inspection, keptSeconds, named } from "./inspection.ts";
import { verdict } from "./playable.ts";
import type { CheckedRow } from "./rows.ts";

/** What rows name and storage doesn't have. */
export type Losses = {
	/**
	 * Reports files of an available video that aren't stored in their size. `files` are what its folder holds, by path
	 * below it.
	 */
	ofOutputs(
		inspection: Inspection,
		row: CheckedRow,
		files: ReadonlyMap<string, SurveyedObject> | undefined,
	): Promise<void>;
	/** Reports the source of a video that is to be encoded, of which only `size` bytes are stored (`null`: nothing). */
	ofSource(inspection: Inspection, row: CheckedRow, size: number | null): Promise<void>;
};

const keep = (kind: Discard["kind"], reference: string): Discard => ({ kind, reference, laterSeconds: keptSeconds });

export function createLosses(
	{ database }: Parts,
	{ store, afterChange }: { store: VideoStore; afterChange: AfterChange },
): Losses {
	/** Takes the row, as it was looked at, through `step`. Returns false if it changed meanwhile. */
	const change = async (row: CheckedRow, step: Step): Promise<boolean> => {
		let isTaken = false;
		const saved = await store.change(row.id, (record) => {
			isTaken = record.version === row.version;
			return isTaken ? step : null;
		});
		if (saved === null || !isTaken) return false;
		await afterChange(saved);
		return true;
	};

	return {
		async ofOutputs(inspection, row, files) {
			const { outputs } = row;
			if (outputs === null) return;
			const folder = `${row.domain_id}/${row.id}/`;
			const sizeOf = (key: string) => files?.get(key.slice(folder.length))?.size;
			const sizeAt = (path: string) => sizeOf(folderOf(outputs, path) + path);
			const missing = Object.keys(outputs.files).filter((path) => sizeAt(path) !== outputs.files[path]);
			if (missing.length === 0) return;
			const found = withFirstFiles(outputs, missing, (path) => sizeOf(outputs.prefix + path));
			const judged = verdict(
				found,
				missing.filter((path) => Object.hasOwn(found.files, path) && folderOf(found, path) === folderOf(outputs, path)),
			);
			const about = { reference: folder, domainId: row.domain_id, videoId: row.id };
			const message = `${missing.length} of ${Object.keys(outputs.files).length} files are not stored in their size: ${named(missing)}.`;
			const lose = async () => {
				if (!(await areMissing(inspection.stores.outputs, outputs, missing))) return false;
				const transcript = row.transcribing ? ({ transcript_status: "failed" } as const) : {};
				const isLost = await change(row, {
					command: { type: "lose", reason: "storage_error" },
					changes: { outputs: null, ...transcript },
					discards: [keep("outputs", folder)],
				});
				if (isLost)
					await database.query(
						sql`with transcript as (delete from reelmill.transcriptions where video_id = ${row.id}) delete from reelmill.posters where video_id = ${row.id}`,
					);
				return isLost;
			};
			if (row.kind === "outro")
				return inspection.found(
					{ kind: "outro_unplayable", ...about, message },
					inspection.requested.repair ? lose : null,
				);
			if (judged.type === "unplayable")
				return inspection.found(
					{ kind: "video_unplayable", ...about, message },
					inspection.requested.repair ? lose : null,
				);
			const lessen = async () => {
				if (!(await areMissing(inspection.stores.outputs, outputs, missing))) return false;
				const without = new Set(judged.type === "whole" ? [] : judged.without);
				const left = [...without]
					.map((path) => folderOf(found, path) + path)
					.filter((key) => sizeOf(key) !== undefined)
					.map((key) => keep("outputs", key));
				const kept = Object.fromEntries(Object.entries(found.files).filter(([path]) => !without.has(path)));
				const transcript = "transcript.vtt";
				return change(row, {
					changes: {
						outputs: { ...found, files: kept },
						...(transcript in outputs.files && !(transcript in kept) && { transcript_status: "failed" }),
					},
					discards: left,
				});
			};
			await inspection.found({ kind: "files_missing", ...about, message }, inspection.requested.repair ? lessen : null);
		},
		async ofSource(inspection, row, size) {
			const message = `${size === null ? "Nothing" : `Only ${size} bytes`} of ${row.file_size} bytes are stored of what is ${row.state}.`;
			const lose = async () => {
				const now = await inspection.stores.uploads.size(row.id);
				if (now !== null && now >= row.file_size) return false;
				const discards = [keep("upload", row.id), keep("outputs", `${row.domain_id}/${row.id}/`)];
				return change(row, { command: { type: "lose", reason: "source_missing" }, discards });
			};
			const about = { reference: row.id, domainId: row.domain_id, videoId: row.id };
			await inspection.found({ kind: "source_missing", ...about, message }, inspection.requested.repair ? lose : null);
		},
	};
}

/** Looks once more before anything is changed: a list may be older than what it lists. */
async function areMissing(
	storage: ObjectStorage,
	outputs: StoredOutputs,
	missing: readonly string[],
): Promise<boolean> {
	for (const path of missing.slice(0, 3)) {
		const found = await storage.head(folderOf(outputs, path) + path);
		if (found?.size === outputs.files[path]) return false;
	}
	return true;
}

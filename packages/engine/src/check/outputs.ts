import { outputSumsFile, ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { plannedFiles } from "../jobs/index.ts";
import { sandboxSlug } from "../sandbox/index.ts";
import { createInTime, readRecorded } from "../storage/index.ts";
import { keepSums } from "../sums/index.ts";
import type { Parts } from "../system/index.ts";
import { folderOf, isProcessing } from "../videos/index.ts";
import type { Adoption, ProvedSet } from "./adopt.ts";
import { behindFolder, type Folder, type Part, readFolders } from "./folders.ts";
import type { Inspect, Inspection } from "./inspection.ts";
import type { Losses } from "./losses.ts";
import type { Orphans } from "./orphans.ts";
import { describeSet } from "./playlists.ts";
import { type CheckedRow, isKept, mostRows, type Note, notesBetween, rowsOf, rowsWithOutputs } from "./rows.ts";
import { findSet } from "./sets.ts";

const largestPlaylist = 1024 * 1024;

type DomainRow = { readonly id: string; readonly slug: string; readonly deleted_at: Date | null };

/** Compares outputs with the rows that name them, in the order of their keys, in both directions. */
export function createOutputsInspection(
	{ database, clock }: Parts,
	{
		losses,
		orphans,
		adoption,
	}: {
		losses: Losses;
		orphans: Orphans;
		adoption: Adoption;
	},
): Inspect {
	const inTime = createInTime(clock);

	/** Returns what of a folder neither the row nor a note explains. */
	const unexplained = (folder: Folder, row: CheckedRow | undefined, notes: readonly Note[]): Folder["files"] => {
		const hiding = notes.map(({ reference }) => reference);
		const own = row?.deleted_at === null && row.outputs !== null ? row.outputs : null;
		const paths = own === null ? [] : [...Object.keys(own.files), outputSumsFile];
		const keys = new Set(own === null ? [] : paths.map((path) => folderOf(own, path) + path));
		const left = [...folder.files].filter(([path, { key }]) => {
			if (keys.has(key)) return false;
			if (row?.transcribing && path.startsWith("transcripts/")) return false;
			if (row?.picturing && path.startsWith("posters/")) return false;
			// The first files stay where they are when they are changed, or taken away.
			if (own?.edit !== undefined && key.startsWith(own.prefix)) return false;
			return !hiding.some((reference) => (reference.endsWith("/") ? key.startsWith(reference) : key === reference));
		});
		return new Map(left);
	};

	/** Returns the set, proved by its own playlists; `null` if it isn't whole. */
	const proved = async (
		inspection: Inspection,
		folder: Folder,
		files: Folder["files"],
		wanted: readonly string[] | null,
	): Promise<ProvedSet | null> => {
		const set = findSet(folder.name, files, wanted);
		if (set === null) return null;
		// If the storage fails, the inspection of the place ends: what can't be read now must not count as cut off.
		const read = async (path: string): Promise<string | null> => {
			const size = set.files.get(path) ?? 0;
			if (size > largestPlaylist || !inspection.stores.outputs.capabilities.download) return null;
			const bytes = await readRecorded(
				inspection.stores.outputs,
				{ key: set.prefix + path, size, largest: size, isOfType: () => true },
				inTime,
			);
			return bytes && Buffer.from(bytes).toString();
		};
		const described = await describeSet(set.files, read);
		if (described === null) return null;
		const { outputs } = inspection.stores;
		const sums = await keepSums(outputs, set.prefix, set.files.get(outputSumsFile), inTime).catch(
			async (error: unknown) => {
				// Sums that can't be read are as good as none. If the storage fails as a whole, this throws as well.
				if ((await outputs.head(set.prefix + outputSumsFile)) === null) throw error;
			},
		);
		const summed = new Map([...set.files].filter(([path]) => path !== outputSumsFile));
		return { ...set, ...described, files: summed, ...(sums && { sums }) };
	};

	/** Returns whether a set of outputs would be better for the video than what it has. */
	const isInNeed = async ({ stores }: Inspection, row: CheckedRow): Promise<boolean> => {
		if (row.deleted_at !== null || !row.here) return false;
		if (row.state === "failed" || row.state === "timeout" || row.state === "expired") return true;
		if (row.clip || (row.state !== "uploaded" && row.state !== "queued")) return false;
		return (await stores.uploads.size(row.id)) !== row.file_size;
	};

	const lookAtFolder = async (
		inspection: Inspection,
		folder: Folder,
		row: CheckedRow | undefined,
		domain: DomainRow | undefined,
		notes: readonly Note[],
	): Promise<void> => {
		const files = unexplained(folder, row, notes);
		// What is kept for a while is there to be adopted, and is reported for no other reason.
		const adoptable = inspection.requested.adopt
			? unexplained(
					folder,
					row,
					notes.filter((note) => !isKept(note, inspection.now)),
				)
			: files;
		if (adoptable.size === 0) return;
		const about = { domainId: folder.domainId, videoId: folder.videoId };
		if (row === undefined && domain === undefined) {
			if (files.size === 0) return;
			const reference = `${folder.name}/`;
			const remove = inspection.requested.removeUnknownDomains ? () => orphans.remove(inspection, [reference]) : null;
			return inspection.found(
				{
					kind: "unknown_domain",
					reference,
					...about,
					message: `${files.size} objects of a domain that is not known here.`,
				},
				remove,
			);
		}
		const isWaiting =
			row !== undefined &&
			row.deleted_at === null &&
			(row.state === "pending_upload" || row.state === "uploaded" || isProcessing(row.state));
		const mayBecome =
			row === undefined ? domain?.deleted_at === null && domain.slug !== sandboxSlug : await isInNeed(inspection, row);
		const set = mayBecome
			? await proved(inspection, folder, adoptable, row === undefined ? null : plannedFiles(row))
			: null;
		if (set !== null && (inspection.requested.adopt || isWaiting || !inspection.requested.removeOrphans)) {
			const mend = inspection.requested.adopt
				? () =>
						row === undefined
							? adoption.asNew(about, inspection.place, set)
							: adoption.forRow(row, inspection.place, set)
				: null;
			const whose = row === undefined ? "that is not known" : `that is ${row.state}`;
			await inspection.found(
				{
					kind: "outputs_adoptable",
					reference: set.prefix,
					...about,
					message: `${set.files.size} files of a video ${whose}.`,
				},
				mend,
			);
			return;
		}
		// Stray files beside a waiting job are removed when the job ends.
		if (!isWaiting && files.size > 0) await orphans.tell(inspection, folder, files);
	};

	const partOf = async (inspection: Inspection, folder: string, key: string): Promise<Part> => {
		const prefix = inspection.place.domainId === null ? "" : `${inspection.place.domainId}/`;
		const behind = behindFolder(folder);
		const survey = inspection.stores.outputs.survey?.({ prefix, after: key > behind ? key : behind });
		if (survey === undefined) throw new ReelmillError("storage_backend_unsupported");
		return readFolders(survey, inspection.isOver);
	};

	return async (inspection, after) => {
		const cut = after.indexOf("|");
		const [from, key] = cut === -1 ? [after, ""] : [after.slice(0, cut), after.slice(cut + 1)];
		const part = await partOf(inspection, from, key);
		const lastFolder = part.folders.at(-1)?.name;
		// There were only objects of others so far.
		if (lastFolder === undefined && !part.isEnd) {
			inspection.saw(0, part.objects);
			return `${from}|${part.lastKey}`;
		}
		const stored = await rowsWithOutputs(database, inspection.place, {
			after: from,
			last: part.isEnd ? null : (lastFolder ?? null),
		});
		const nameOf = ({ domain_id, id }: CheckedRow): string => `${domain_id}/${id}`;
		const isCut = stored.length === mostRows;
		const lastRow = stored.at(-1);
		const upTo = isCut && lastRow !== undefined ? nameOf(lastRow) : null;
		const folders = part.folders.filter(({ name }) => upTo === null || name <= upTo);
		const others = await rowsOf(
			database,
			inspection.place,
			folders.map(({ videoId }) => videoId),
		);
		const domains = await database.query<DomainRow>(
			sql`select d.id, d.slug, d.deleted_at from reelmill.domains d where d.id = any(${[...new Set(folders.map(({ domainId }) => domainId))]}::uuid[])`,
		);
		const [first, last] = [folders[0]?.name, folders.at(-1)?.name];
		const notes =
			first === undefined ? [] : await notesBetween(database, inspection.place, "outputs", [`${first}/`, `${last}0`]);

		const rows = new Map([...stored, ...others].map((row) => [nameOf(row), row]));
		const byName = new Map(folders.map((folder) => [folder.name, folder]));
		const knownDomains = new Map(domains.map((domain) => [domain.id, domain]));
		for (const name of [...new Set([...stored.map(nameOf), ...byName.keys()])].sort()) {
			const [row, folder] = [rows.get(name), byName.get(name)];
			inspection.saw(row === undefined ? 0 : 1, folder?.files.size ?? 0);
			const files = [...(folder?.files.values() ?? [])].map(({ modifiedAt }) => modifiedAt);
			if (!inspection.isTooYoung([row?.updated_at, ...files]) && !folder?.tooMany) {
				if (row?.here && row.state === "available" && row.deleted_at === null)
					await losses.ofOutputs(inspection, row, folder?.files);
				if (folder !== undefined) {
					const own = notes.filter(({ reference }) => reference.startsWith(`${name}/`));
					await lookAtFolder(inspection, folder, row, knownDomains.get(folder.domainId), own);
				}
			}
			if (inspection.isOver()) return name;
		}
		if (isCut) return upTo;
		return part.isEnd ? null : (lastFolder ?? null);
	};
}

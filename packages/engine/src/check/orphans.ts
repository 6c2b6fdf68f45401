import type { Parts } from "../system/index.ts";
import { type Discard, noteDiscard } from "../videos/index.ts";
import type { Folder } from "./folders.ts";
import type { Inspection } from "./inspection.ts";

/** Stored bytes that no row needs. */
export type Orphans = {
	/**
	 * Reports files in a video's folder that nothing needs: by folder if the folder holds nothing else, otherwise one by
	 * one.
	 */
	tell(inspection: Inspection, folder: Folder, files: Folder["files"]): Promise<void>;
	/** Notes these to be deleted, and deletes them as far as that works now. Returns true: what is noted will go. */
	remove(inspection: Inspection, references: readonly string[], kind?: Discard["kind"]): Promise<boolean>;
};

export function createOrphans(
	{ database, clock }: Parts,
	{
		reap,
	}: {
		/** Deletes bytes as far as that works now; it never rejects. */
		reap: (discards: readonly Discard[], profileId: string | null) => Promise<void>;
	},
): Orphans {
	const orphans: Orphans = {
		async tell(inspection, folder, files) {
			const needed = [...folder.files.keys()].filter((path) => !files.has(path));
			for (const [below, count] of foldersOf([...files.keys()], needed)) {
				const reference = `${folder.name}/${below}`;
				const message = count === 1 ? "One object that no video has." : `${count} objects that no video has.`;
				await inspection.found(
					{ kind: "outputs_unused", reference, domainId: folder.domainId, videoId: folder.videoId, message },
					inspection.requested.removeOrphans ? () => orphans.remove(inspection, [reference]) : null,
				);
			}
		},
		async remove(inspection, references, kind = "outputs") {
			const { profileId } = inspection.place;
			for (const reference of references)
				await database.query(noteDiscard({ kind, reference }, profileId, new Date(clock.now())));
			await reap(
				references.map((reference) => ({ kind, reference })),
				profileId,
			);
			return true;
		},
	};
	return orphans;
}

/**
 * Returns the fewest folders, and single paths if a folder also holds what is `needed`, that cover `paths`, and how
 * many paths each covers. Pure.
 */
function foldersOf(paths: readonly string[], needed: readonly string[]): ReadonlyMap<string, number> {
	const isFree = (folder: string): boolean => !needed.some((path) => path.startsWith(folder));
	const found = new Map<string, number>();
	for (const path of paths) {
		const parts = path.split("/");
		let cover = path;
		for (let length = 0; length < parts.length; length++) {
			const folder = parts
				.slice(0, length)
				.map((part) => `${part}/`)
				.join("");
			if (!isFree(folder)) continue;
			cover = folder;
			break;
		}
		found.set(cover, (found.get(cover) ?? 0) + 1);
	}
	return found;
}

import type { Parts } from "../system/index.ts";
import { type Discard, noteDiscard } from "../videos/index.ts";
import type { Folder } from "./folders.ts";
import type { Look } from "./look.ts";

/** What lies about. */
export type Strays = {
	/**
	 * Tells of files in a video's folder that nothing needs: by their own folders where these hold nothing else, one by
	 * one elsewhere.
	 */
	tell(look: Look, folder: Folder, files: Folder["files"]): Promise<void>;
	/** Notes these to be deleted, and deletes them as far as that works now. True: what is noted is as good as gone. */
	remove(look: Look, references: readonly string[], kind?: Discard["kind"]): Promise<boolean>;
};

export function createStrays(
	{ database, clock }: Parts,
	{
		reap,
	}: {
		/** Deletes bytes as far as that works now; it never rejects. */
		reap: (discards: readonly Discard[], profileId: string | null) => Promise<void>;
	},
): Strays {
	const strays: Strays = {
		async tell(look, folder, files) {
			const needed = [...folder.files.keys()].filter((path) => !files.has(path));
			for (const [below, count] of foldersOf([...files.keys()], needed)) {
				const reference = `${folder.name}/${below}`;
				const message = count === 1 ? "One object that no video has." : `${count} objects that no video has.`;
				await look.found(
					{ kind: "outputs_unused", reference, domainId: folder.domainId, videoId: folder.videoId, message },
					look.told.removeOrphans ? () => strays.remove(look, [reference]) : null,
				);
			}
		},
		async remove(look, references, kind = "outputs") {
			const { profileId } = look.place;
			for (const reference of references)
				await database.query(noteDiscard({ kind, reference }, profileId, new Date(clock.now())));
			await reap(
				references.map((reference) => ({ kind, reference })),
				profileId,
			);
			return true;
		},
	};
	return strays;
}

/**
 * Pure: the fewest folders, and single paths where a folder also holds what is `needed`, that cover `paths`; with how
 * many each covers.
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

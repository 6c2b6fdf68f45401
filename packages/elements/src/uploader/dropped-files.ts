/**
 * Returns the files of a drop or a paste, with those in dropped folders and in the folders within these. Hidden files
 * of folders, such as `.DS_Store`, are left out. It must be called while the event is handled.
 */
export function filesOf(data: DataTransfer): Promise<File[]> {
	const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? null);
	if (!entries.some((entry) => entry?.isDirectory)) return Promise.resolve([...data.files]);
	return Promise.all(entries.map((entry) => (entry ? filesIn(entry) : []))).then((found) => found.flat());
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
	if (entry.isFile)
		return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
	const reader = (entry as FileSystemDirectoryEntry).createReader();
	const found: File[] = [];
	// A reader gives at most a hundred entries at once, and none at its end.
	for (;;) {
		const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
		if (some.length === 0) return found;
		for (const each of some) if (!each.name.startsWith(".")) found.push(...(await filesIn(each)));
	}
}

/** Whether what is dragged over the page holds files: a text or a link does not. */
export const holdsFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes("Files") ?? false;

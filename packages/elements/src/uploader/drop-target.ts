import { filesOf, holdsFiles } from "./dropped-files.ts";

/**
 * Takes files that are dropped on an element, or pasted: while the focus is in the element, or nowhere. `isOver` is
 * called when files begin and cease to be dragged over it. Returns a function that ends this.
 */
export function listenForFiles(
	host: HTMLElement,
	{ take, isOver }: { take: (files: File[]) => void; isOver: (over: boolean) => void },
): () => void {
	const ended = new AbortController();
	const { signal } = ended;
	const found = (data: DataTransfer) => void filesOf(data).then((files) => files.length > 0 && take(files));
	host.addEventListener(
		"dragover",
		(event) => {
			if (!holdsFiles(event.dataTransfer)) return;
			event.preventDefault();
			event.dataTransfer.dropEffect = "copy";
			isOver(true);
		},
		{ signal },
	);
	host.addEventListener(
		"dragleave",
		(event) => {
			if (!host.contains(event.relatedTarget as Node | null)) isOver(false);
		},
		{ signal },
	);
	host.addEventListener(
		"drop",
		(event) => {
			isOver(false);
			if (!holdsFiles(event.dataTransfer)) return;
			event.preventDefault();
			found(event.dataTransfer);
		},
		{ signal },
	);
	document.addEventListener(
		"paste",
		(event) => {
			const isHere = host.contains(event.target as Node | null);
			const isNowhere = document.activeElement === null || document.activeElement === document.body;
			if ((!isHere && !isNowhere) || event.defaultPrevented || !holdsFiles(event.clipboardData)) return;
			event.preventDefault();
			found(event.clipboardData);
		},
		{ signal },
	);
	return () => ended.abort();
}

import { type ComponentType, useEffect, useRef, useState } from "react";
import { loadPart, PartMissing } from "../loading/load-part.ts";
import { reloadFor, wasReloadedFor } from "../loading/new-version.ts";
import type { PaletteProps } from "./palette.tsx";

/**
 * The palette as soon as its code is here. It begins with what was typed until then. If it can't be loaded because a
 * new version is out, the page is loaded again.
 */
export function LazyPalette({ onClose }: Pick<PaletteProps, "onClose">) {
	const [Palette, setPalette] = useState<ComponentType<PaletteProps> | null>(null);
	const typed = useRef("");
	useEffect(() => {
		if (Palette !== null) return;
		const note = (event: KeyboardEvent) => {
			if (event.ctrlKey || event.metaKey) return;
			if (event.key === "Escape") onClose();
			else if (event.key === "Backspace") typed.current = typed.current.slice(0, -1);
			else if (event.key.length === 1) typed.current += event.key;
			else return;
			event.preventDefault();
		};
		const fail = (error: unknown) => {
			onClose();
			if (error instanceof PartMissing && !wasReloadedFor(error.version)) void reloadFor(error.version);
		};
		window.addEventListener("keydown", note, true);
		void loadPart(() => import("./palette.tsx")).then((part) => setPalette(() => part.Palette), fail);
		return () => window.removeEventListener("keydown", note, true);
	}, [Palette, onClose]);
	return Palette && <Palette text={typed.current} onClose={onClose} />;
}

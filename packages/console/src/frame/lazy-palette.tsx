import { type ComponentType, useEffect, useRef, useState } from "react";
import { Dialog } from "../components/dialog.tsx";
import { loadPart } from "../loading/load-part.ts";
import { ViewFailed } from "../loading/view-failed.tsx";
import type { PaletteProps } from "./palette.tsx";

/** The palette as soon as its code is here. It begins with what was typed until then. */
export function LazyPalette({ onClose }: Pick<PaletteProps, "onClose">) {
	const [Palette, setPalette] = useState<ComponentType<PaletteProps> | null>(null);
	const [error, setError] = useState<unknown>(null);
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
		window.addEventListener("keydown", note, true);
		void loadPart(() => import("./palette.tsx")).then((part) => setPalette(() => part.Palette), setError);
		return () => window.removeEventListener("keydown", note, true);
	}, [Palette, onClose]);
	if (error !== null)
		return (
			<Dialog title="Search or go to" isOpen onClose={onClose}>
				<ViewFailed error={error} />
			</Dialog>
		);
	return Palette && <Palette text={typed.current} onClose={onClose} />;
}

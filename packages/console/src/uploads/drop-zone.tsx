import { useEffect, useEffectEvent, useState } from "react";
import { hasFiles } from "../components/file-drop.ts";
import styles from "./drop-zone.module.css";

/**
 * Takes files that are dropped anywhere on the page, its frame included, while the view stands. The browser's own events
 * do it: React Aria's zone is a thing to reach by keyboard and to paste into, and a whole page is none. The same can
 * always be done with a button.
 */
export function DropZone({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
	const [isOver, setIsOver] = useState(false);
	const take = useEffectEvent(onFiles);
	useEffect(() => {
		const over = (event: DragEvent) => {
			if (!hasFiles(event)) return;
			event.preventDefault();
			setIsOver(true);
		};
		const leave = ({ relatedTarget }: DragEvent) => {
			if (relatedTarget === null) setIsOver(false);
		};
		const drop = (event: DragEvent) => {
			if (!hasFiles(event)) return;
			event.preventDefault();
			setIsOver(false);
			const files = [...(event.dataTransfer?.files ?? [])];
			if (files.length > 0) take(files);
		};
		const listeners = { dragenter: over, dragover: over, dragleave: leave, drop };
		const entries = Object.entries(listeners) as [keyof typeof listeners, (event: DragEvent) => void][];
		// Before the frame refuses what nothing takes.
		for (const [name, listener] of entries) window.addEventListener(name, listener, true);
		return () => {
			for (const [name, listener] of entries) window.removeEventListener(name, listener, true);
		};
	}, []);
	return isOver && <div className={styles.veil}>Drop to upload</div>;
}

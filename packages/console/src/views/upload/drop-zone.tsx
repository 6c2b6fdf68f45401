import { type DragEvent, type ReactNode, useState } from "react";
import styles from "./drop-zone.module.css";

type DropZoneProps = { onFiles: (files: readonly File[]) => void; children: ReactNode };

/**
 * Takes files that are dropped anywhere on what it holds. The browser's own events do it: React Aria's zone is a thing
 * to reach by keyboard and to paste into, and a whole view is none. The same can always be done with a button.
 */
export function DropZone({ onFiles, children }: DropZoneProps) {
	const [isOver, setIsOver] = useState(false);
	const over = (event: DragEvent) => {
		if (!event.dataTransfer.types.includes("Files")) return;
		event.preventDefault();
		setIsOver(true);
	};
	const leave = ({ currentTarget, relatedTarget }: DragEvent) => {
		if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false);
	};
	const drop = (event: DragEvent) => {
		event.preventDefault();
		setIsOver(false);
		const files = [...event.dataTransfer.files];
		if (files.length > 0) onFiles(files);
	};
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: Dropping is for a mouse; a button does the same.
		<div className={styles.zone} onDragEnter={over} onDragOver={over} onDragLeave={leave} onDrop={drop}>
			{children}
			{isOver && <div className={styles.veil}>Drop to upload</div>}
		</div>
	);
}

import { type ReactNode, useState } from "react";
import { DropZone as AriaDropZone } from "react-aria-components/DropZone";
import styles from "./drop-zone.module.css";

/** Takes files that are dropped anywhere on what it holds. The same can always be done with a button. */
export function DropZone({ onFiles, children }: { onFiles: (files: readonly File[]) => void; children: ReactNode }) {
	const [isOver, setIsOver] = useState(false);
	return (
		<AriaDropZone
			className={styles.zone ?? ""}
			getDropOperation={() => "copy"}
			onDropEnter={() => setIsOver(true)}
			onDropExit={() => setIsOver(false)}
			onDrop={async ({ items }) => {
				const files = await Promise.all(items.flatMap((item) => (item.kind === "file" ? [item.getFile()] : [])));
				if (files.length > 0) onFiles(files);
			}}
		>
			{children}
			{isOver && <div className={styles.veil}>Drop to upload</div>}
		</AriaDropZone>
	);
}

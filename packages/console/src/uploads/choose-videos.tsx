import type { ReactNode } from "react";
import { FileTrigger } from "react-aria-components/FileTrigger";
import { Button } from "../components/button.tsx";
import styles from "./choose-videos.module.css";

type ChooseVideosProps = { onFiles: (files: readonly File[]) => void; children: ReactNode };

/** The button that chooses videos, and a sentence below it. */
export const ChooseVideos = ({ onFiles, children }: ChooseVideosProps) => (
	<div className={styles.choose}>
		<FileTrigger allowsMultiple acceptedFileTypes={["video/*"]} onSelect={(files) => onFiles([...(files ?? [])])}>
			<Button kind="primary">Choose videos</Button>
		</FileTrigger>
		<p className="muted">{children}</p>
	</div>
);

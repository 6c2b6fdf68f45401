import type { ReactNode } from "react";
import { FileTrigger } from "react-aria-components/FileTrigger";
import { Button } from "../components/button.tsx";
import styles from "./choose-videos.module.css";

type ChooseVideosProps = { onFiles: (files: readonly File[]) => void; children: ReactNode };

/** The place that files are dropped on, with the button that does the same. */
export const ChooseVideos = ({ onFiles, children }: ChooseVideosProps) => (
	<div className={styles.choose}>
		<FileTrigger allowsMultiple acceptedFileTypes={["video/*"]} onSelect={(files) => onFiles([...(files ?? [])])}>
			<Button kind="primary">Choose videos</Button>
		</FileTrigger>
		<p className="muted">{children}</p>
	</div>
);

import { useCall } from "../../api/api.tsx";
import { CopyButton } from "../../components/copy.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import type { VideoView } from "../../playback/video-state.tsx";
import styles from "./transcript.module.css";

/** What is said in a video, if anybody asked for it. */
export function Transcript({ id, status }: { id: string; status: VideoView["transcript_status"] }) {
	const query = useCall("getTranscript", { params: { id } }, { enabled: status === "available" });
	if (status !== "available") return null;
	return (
		<Panel
			title="Transcript"
			actions={query.data?.text && <CopyButton text={query.data.text} label="Copy transcript" />}
		>
			<Loaded query={query}>
				{({ text, language }) => (
					<>
						{language !== null && <p className="muted small">Language: {language}</p>}
						{/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reachable by keyboard. */}
						<p className={styles.text} tabIndex={0} lang={language ?? undefined}>
							{text}
						</p>
					</>
				)}
			</Loaded>
		</Panel>
	);
}

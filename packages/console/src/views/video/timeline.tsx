import { useCall } from "../../api/api.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import type { VideoView } from "../../playback/video-state.tsx";
import styles from "./timeline.module.css";
import { lifeOf } from "./timeline-events.ts";

/** The life of a video from its initiation to its webhooks, with how long each part of it lasted. */
export function Timeline({ video, isLive }: { video: VideoView; isLive: boolean }) {
	const every = isLive ? 3000 : 15_000;
	const query = useCall("getVideoTimeline", { params: { id: video.id } }, { every });
	const deliveries = useCall("listWebhookDeliveries", { query: { video_id: video.id, limit: 20 } }, { every });
	return (
		<Panel title="Timeline">
			<Loaded query={query}>
				{(timeline) => (
					<ol className={styles.line}>
						{lifeOf(timeline, deliveries.data?.data ?? []).map(({ key, at, what, detail, tone }) => (
							<li key={key} className={styles.event} data-tone={tone}>
								<strong className={styles.what}>{what}</strong>
								{detail !== null && <div className="small">{detail}</div>}
								<span className="small muted">
									<Time at={at} />
								</span>
							</li>
						))}
					</ol>
				)}
			</Loaded>
		</Panel>
	);
}

import { getRouteApi, Link } from "@tanstack/react-router";
import { useCall } from "../../api/api.tsx";
import { AuditOf } from "../../audit/audit-of.tsx";
import { Id } from "../../components/copy.tsx";
import { Loaded, useTogether } from "../../components/loaded.tsx";
import { Page } from "../../components/page.tsx";
import { Panel } from "../../components/panel.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { servedHere } from "../../playback/served-here.ts";
import { isMoving, VideoState } from "../../playback/video-state.tsx";
import { Actions } from "./actions.tsx";
import { Captions } from "./captions.tsx";
import { Chapters } from "./chapters.tsx";
import { Clips } from "./clips.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Frames } from "./frames.tsx";
import { Metadata } from "./metadata.tsx";
import { Player } from "./player.tsx";
import { Poster } from "./poster.tsx";
import { Renditions } from "./renditions.tsx";
import { Report } from "./report.tsx";
import { Snippet } from "./snippet.tsx";
import { Storyboard } from "./storyboard.tsx";
import { Timeline } from "./timeline.tsx";
import { Transcript } from "./transcript.tsx";
import { VideoFacts } from "./video-facts.tsx";
import styles from "./view.module.css";

const route = getRouteApi("/d/$domain/videos/$id");

/** One video: what it is, how it plays, what happened to it, and what was decided about it. */
export function Video() {
	const { domain, id } = route.useParams();
	const query = useCall("getVideo", { params: { id } }, { every: 3000 });
	const video = query.data;
	const { data: metadata } = useCall("getVideoMetadata", { params: { id } });
	const isHere = useIsHere(id);
	const storyboard = video && servedHere(id, video.outputs)?.storyboard_url;
	return (
		<Page
			title={metadata?.title ?? video?.external_ref ?? `Video ${id.slice(0, 8)}`}
			beside={video && <VideoState video={video} />}
			back={
				<Link to="/d/$domain/videos" params={{ domain }}>
					Videos
				</Link>
			}
			actions={video && <Actions video={video} />}
		>
			<Loaded query={query} advice="It may have been deleted, or belong to another domain.">
				{(video) =>
					isHere ? (
						<div className="parts">
							<div className={styles.top}>
								<Player video={video} />
								<Panel title="Facts" actions={<Id id={id} />}>
									<VideoFacts video={video} />
								</Panel>
							</div>
							<Metadata id={id} />
							<Timeline video={video} isLive={isMoving(video)} />
							{storyboard && <Storyboard url={storyboard} />}
							<Report key={video.state} id={id} />
							{video.outputs && <Renditions renditions={video.outputs.renditions} />}
							{video.state === "available" && <Snippet video={video} />}
							{video.state === "available" && video.duration_seconds !== null && (
								<Clips id={id} seconds={video.duration_seconds} />
							)}
							{video.state === "available" && <Poster id={id} />}
							{video.state === "available" && <Captions id={id} />}
							{video.state === "available" && <Chapters id={id} />}
							{video.state === "available" && <Transcript id={id} status={video.transcript_status} />}
							{video.state === "available" && <Frames id={id} />}
							<Deliveries id={id} />
							<Panel title="Changes">
								<AuditOf resource={id} />
							</Panel>
						</div>
					) : (
						<Skeleton lines={12} />
					)
				}
			</Loaded>
		</Page>
	);
}

/** Whether the parts are to be shown. */
const useIsHere = (id: string): boolean =>
	useTogether([
		useCall("getVideoTimeline", { params: { id } }),
		useCall("getVideoMetadata", { params: { id } }),
		useCall("listWebhookDeliveries", { query: { video_id: id, limit: 20 } }),
		useCall("getVideoReport", { params: { id } }),
	]);

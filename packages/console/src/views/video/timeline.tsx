import { useEffect, useState } from "react";
import { useCall } from "../../api/api.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { formatDuration } from "../../format/amounts.ts";
import { clockTime } from "../../format/time.ts";
import { stateNames, type VideoView } from "../../playback/video-state.tsx";
import { type Life, lifeOf, type Phase } from "./phases.ts";
import { partsOf } from "./report-parts.ts";
import styles from "./timeline.module.css";

/** The life of a video from its first byte to its webhook, to scale. It grows while the video is on its way. */
export function Timeline({ video, isLive }: { video: VideoView; isLive: boolean }) {
	const every = isLive ? 3000 : 15_000;
	const query = useCall("getVideoTimeline", { params: { id: video.id } }, { every });
	const deliveries = useCall("listWebhookDeliveries", { query: { video_id: video.id, limit: 20 } }, { every });
	const report = useCall("getVideoReport", { params: { id: video.id } }, { enabled: !isLive }).data?.report;
	const now = useNow(isLive);
	return (
		<Panel title="Timeline">
			<Loaded query={query}>
				{(timeline) => {
					const life = lifeOf({
						timeline,
						deliveries: deliveries.data?.data ?? [],
						...(report ? partsOf(report) : { steps: [], encodes: [] }),
						renditions: video.outputs?.renditions.map(({ name }) => name) ?? [],
						now,
					});
					const ended = isLive ? undefined : timeline.moves.at(-1);
					return (
						<div className="stack">
							<p className="muted">
								{ended === undefined
									? `${stateNames[video.state]}, ${formatDuration(Math.max(0, now - life.from) / 1000)} so far`
									: `${stateNames[video.state]} at ${clockTime(ended.at)}, after ${formatDuration(Math.max(0, Date.parse(ended.at) - life.from) / 1000)}`}
							</p>
							<ol className={styles.phases}>
								{life.phases.map((phase) => (
									<Row key={phase.name} phase={phase} life={life} />
								))}
							</ol>
						</div>
					);
				}}
			</Loaded>
		</Panel>
	);
}

function Row({ phase: { name, detail, bars, depth }, life }: { phase: Phase; life: Life }) {
	const whole = Math.max(1, life.to - life.from);
	const lasted = bars.reduce((sum, { from, to }) => sum + to - from, 0) / 1000;
	const clock = bars.map(({ from, to }) => `${clockTime(from)} to ${clockTime(to)}`).join(", ");
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: the clock times are shown to whoever comes here by keyboard
		<li className={styles.phase} data-depth={depth} tabIndex={0}>
			<span className={styles.name}>
				{name} {detail !== null && <span className="muted small">{detail}</span>}
			</span>
			<span className={styles.track} aria-hidden>
				{bars.map(({ from, to, tone }) => (
					<span
						key={from}
						className={styles.bar}
						data-tone={tone}
						style={{
							left: `min(${((from - life.from) / whole) * 100}%, 100% - 3px)`,
							width: `${((to - from) / whole) * 100}%`,
						}}
					/>
				))}
			</span>
			<span className={styles.lasted}>
				<span className={styles.duration}>{formatDuration(lasted)}</span>
				<span className={styles.clock}>{clock}</span>
			</span>
		</li>
	);
}

/** The present, each second while something goes on. */
function useNow(isLive: boolean): number {
	const [now, setNow] = useState(() => Date.now());
	useEffect(() => {
		if (!isLive) return;
		const timer = setInterval(() => setNow(Date.now()), 1000);
		return () => clearInterval(timer);
	}, [isLive]);
	return now;
}

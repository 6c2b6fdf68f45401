import type { CallResult } from "@reelmill/client";
import { Link } from "@tanstack/react-router";
import { usePages } from "../../api/api.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { Id } from "../../components/copy.tsx";
import { Empty } from "../../components/empty.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { type Column, More, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { formatBytes } from "../../format/amounts.ts";
import { useDomain } from "../../frame/domain-frame.tsx";
import { servedHere } from "../../playback/served-here.ts";
import { Thumbnail } from "../../playback/thumbnail.tsx";
import { failureNames, VideoState } from "../../playback/video-state.tsx";
import { noneFound } from "./none-found.ts";
import { useSteadyRows } from "./use-steady-rows.ts";
import { filterQuery, type VideoFilter } from "./video-filter.ts";
import styles from "./video-list.module.css";

type Row = CallResult<"listVideos">["data"][number];

const pageRows = 50;
const refreshMilliseconds = 5000;
/** A list that somebody has leafed through far is read again when they come back to it: each page is a request. */
const livePages = 3;

/** The videos of a filter, newest first. Rows change in place; new ones are offered, not pushed in. */
export function VideoList({ filter }: { filter: VideoFilter }) {
	const { slug } = useDomain();
	const input = { query: { ...filterQuery(filter), include: "metadata" as const, limit: pageRows } };
	const query = usePages("listVideos", input, {
		every: (count) => (count <= livePages ? refreshMilliseconds : undefined),
	});
	const { shown, arrived, showAll } = useSteadyRows(query.items);
	return (
		<Loaded query={query}>
			{() =>
				shown.length === 0 ? (
					<NoVideos filter={filter} slug={slug} />
				) : (
					<div className={styles.list}>
						<div className={styles.arrived} aria-live="polite">
							{arrived > 0 && (
								<Button size="small" onPress={showAll}>
									Show {arrived} new
								</Button>
							)}
						</div>
						<Table label="Videos" isLinked columns={columnsOf(slug)} rows={shown} rowKey={({ id }) => id} />
						<More query={query} count={shown.length} />
					</div>
				)
			}
		</Loaded>
	);
}

const columnsOf = (domain: string): Column<Row>[] => [
	{
		name: "Video",
		cell: ({ id, external_ref, metadata, outputs, duration_seconds: seconds }) => (
			<div className={styles.video}>
				<Thumbnail url={servedHere(id, outputs)?.thumbnail_url ?? null} seconds={seconds} />
				<div className={styles.name}>
					<Link to="/d/$domain/videos/$id" params={{ domain, id }} className={styles.reference}>
						{metadata?.title ?? external_ref ?? "Without a name"}
					</Link>
					<span className="muted">
						<Id id={id} />
					</span>
				</div>
			</div>
		),
	},
	{
		name: "State",
		isPlain: true,
		cell: (video) => (
			<div>
				<VideoState video={video} />
				{video.failure_reason && <div className="muted small">{failureNames[video.failure_reason]}</div>}
			</div>
		),
	},
	{ name: "Renditions", wide: "most", cell: ({ outputs }) => renditionsOf(outputs) },
	{ name: "Size", numeric: true, wide: true, cell: ({ file_size }) => formatBytes(file_size) },
	{ name: "Uploader", wide: true, cell: ({ uploader_ref }) => <Uploader domain={domain} name={uploader_ref} /> },
	{ name: "Visibility", wide: "most", cell: ({ visibility }) => visibility },
	{ name: "Created", numeric: true, isPlain: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

/** Leads to all videos of the same uploader. */
const Uploader = ({ domain, name }: { domain: string; name: string | null }) =>
	name === null ? (
		<span className="muted">–</span>
	) : (
		<Link
			to="/d/$domain/videos"
			params={{ domain }}
			search={{ uploader_ref: name }}
			activeProps={{}}
			className={styles.uploader}
			title={name}
		>
			{name}
		</Link>
	);

/** "1080 h264 av1": the highest picture, and the codecs. */
function renditionsOf(outputs: Row["outputs"]): string {
	if (outputs === null || outputs.renditions.length === 0) return "–";
	const height = Math.max(...outputs.renditions.map((rendition) => Math.min(rendition.width, rendition.height)));
	return [height, ...new Set(outputs.renditions.map(({ codec }) => codec))].join(" ");
}

function NoVideos({ filter, slug }: { filter: VideoFilter; slug: string }) {
	const found = noneFound(filter);
	if (found !== null)
		return (
			<Empty title="No video found">
				<p>{found}</p>
			</Empty>
		);
	if (filter.state !== undefined) return <Empty title="No video is in this state" />;
	return (
		<Empty title="No videos yet">
			<p>Drop a file here, or let your back end upload the first one.</p>
			<LinkButton kind="primary" to="/d/$domain/upload" params={{ domain: slug }}>
				Upload a video
			</LinkButton>
		</Empty>
	);
}

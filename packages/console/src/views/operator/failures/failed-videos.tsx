import { useAction, usePages } from "../../../api/api.tsx";
import { Button } from "../../../components/button.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Problem } from "../../../components/problem.tsx";
import { More, Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { workerName } from "../../../format/worker-name.ts";
import { mayBeReprocessed } from "../../../playback/video-state.tsx";
import { DomainLink, VideoLink } from "../job-links.tsx";
import type { meanings } from "./days.ts";

/** Each failure with its video, the worker's words, and who had it. */
export function FailedVideos({ from, reason }: { from: string; reason: keyof typeof meanings | undefined }) {
	const query = usePages("listFailedVideos", { query: { from, reason } }, { every: 30_000, keep: true });
	const reprocess = useAction("reprocessVideo", { changes: ["listFailedVideos", "getQueue"] });
	return (
		<Loaded query={query}>
			{() => (
				<>
					<Problem error={reprocess.error} />
					<Table
						label="What failed"
						rows={query.items}
						rowKey={({ video_id, failed_at }) => `${video_id} ${failed_at}`}
						columns={[
							{
								name: "Video",
								cell: (row) => (
									<span className="row">
										{row.kind === "outro" && "outro"}
										<VideoLink {...row} domain_slug={row.is_deleted ? null : row.domain_slug} />
										{row.is_deleted && <span className="muted small">deleted</span>}
									</span>
								),
							},
							{ name: "Domain", cell: ({ domain_slug }) => <DomainLink slug={domain_slug} /> },
							{
								name: "Reason",
								cell: (row) => <span style={{ whiteSpace: "nowrap" }}>{row.reason.replaceAll("_", " ")}</span>,
							},
							{
								name: "Message",
								wide: true,
								cell: ({ message }) => message ?? <span className="muted">–</span>,
							},
							{
								name: "Worker",
								wide: true,
								cell: ({ worker }) => (worker === null ? <span className="muted">none</span> : workerName(worker)),
							},
							{ name: "Failed", numeric: true, cell: ({ failed_at }) => <Time at={failed_at} /> },
							{
								name: "Reprocess",
								isActions: true,
								cell: (row) =>
									row.kind === "video" &&
									!row.is_deleted &&
									mayBeReprocessed(row.reason) && (
										<Button
											size="small"
											aria-label={`Reprocess ${row.video_id.slice(0, 8)}`}
											isPending={reprocess.isPending && reprocess.variables.params.id === row.video_id}
											onPress={() => reprocess.mutate({ params: { id: row.video_id } })}
										>
											Reprocess
										</Button>
									),
							},
						]}
					/>
					<More query={query} count={query.items.length} />
				</>
			)}
		</Loaded>
	);
}

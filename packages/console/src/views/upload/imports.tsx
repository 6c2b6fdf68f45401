import type { CallResult } from "@reelmill/client";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAction, usePages } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Progress } from "../../components/meter.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { StateBadge, type Tone } from "../../components/state-badge.tsx";
import { More, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { formatBytes } from "../../format/amounts.ts";
import { useDomain } from "../../frame/domain-frame.tsx";
import { ImportVideo } from "./import-video.tsx";
import styles from "./imports.module.css";

type Import = CallResult<"getImport">;

const tones: Readonly<Record<Import["status"], Tone>> = {
	waiting: "idle",
	downloading: "busy",
	done: "good",
	failed: "bad",
	cancelled: "idle",
};
/** How often each page of the list is read again. */
const everyMilliseconds = 5000;

/** The videos that the service fetches from addresses: how far each is, why one failed, and how to begin another. */
export function Imports() {
	const { slug } = useDomain();
	const query = usePages("listImports", { query: {} }, { every: (pages) => everyMilliseconds * pages });
	const cancel = useAction("cancelImport", { changes: ["listImports", "listVideos"] });
	const [isAsking, setIsAsking] = useState(false);
	return (
		<Panel title="From addresses" actions={<Button onPress={() => setIsAsking(true)}>Import a video</Button>}>
			<Problem error={cancel.error} />
			<Loaded query={query}>
				{() =>
					query.items.length === 0 ? (
						<p className="muted">
							None. The service itself fetches a video from an address, and nothing has to stay open.
						</p>
					) : (
						<>
							<Table
								label="Imports from addresses"
								rows={query.items}
								rowKey={({ id }) => id}
								columns={[
									{
										name: "Video",
										cell: (one) =>
											one.status === "done" && one.video_id !== null ? (
												<Link to="/d/$domain/videos/$id" params={{ domain: slug, id: one.video_id }}>
													{nameOf(one)}
												</Link>
											) : (
												<bdi>{nameOf(one)}</bdi>
											),
									},
									{ name: "Status", cell: (one) => <Status one={one} /> },
									{ name: "Received", cell: (one) => <Received one={one} /> },
									{ name: "Created", numeric: true, wide: true, cell: ({ created_at: at }) => <Time at={at} /> },
									{
										name: "Actions",
										isActions: true,
										cell: (one) =>
											isUnderWay(one) && (
												<Button
													size="small"
													aria-label={`Cancel the import of ${nameOf(one)}`}
													isPending={cancel.isPending && cancel.variables.params.id === one.id}
													onPress={() => cancel.mutate({ params: { id: one.id } })}
												>
													Cancel
												</Button>
											),
									},
								]}
							/>
							<More query={query} count={query.items.length} />
						</>
					)
				}
			</Loaded>
			<ImportVideo isOpen={isAsking} onClose={() => setIsAsking(false)} />
		</Panel>
	);
}

const isUnderWay = ({ status }: Import): boolean => status === "waiting" || status === "downloading";

/** What people know it by: its title, the tenant's name for it, or the address. */
const nameOf = ({ title, external_ref: reference, url }: Import): string => title ?? reference ?? url;

function Status({ one: { status, failure, next_attempt_at: at } }: { one: Import }) {
	return (
		<div className={styles.cell}>
			<StateBadge state={status} tone={tones[status]} />
			{failure !== null && <div className="small">{failure.message}</div>}
			{status === "waiting" && failure !== null && (
				<div className="muted small">
					Tried next: <Time at={at} />
				</div>
			)}
		</div>
	);
}

function Received({ one }: { one: Import }) {
	const { status, bytes_received: received, file_size: size } = one;
	if (size === null) return null;
	const isPart = status === "downloading" && received < size;
	return (
		<div className={styles.cell}>
			<span className="numeric">
				{received === size ? formatBytes(size) : `${formatBytes(received)} of ${formatBytes(size)}`}
			</span>
			{isPart && <Progress label={`Import of ${nameOf(one)}`} share={received / size} />}
		</div>
	);
}

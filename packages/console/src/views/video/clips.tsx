import type { CallResult } from "@reelmill/client";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useAction, usePages } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { type Column, More, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useDomain } from "../../frame/domain-frame.tsx";
import { VideoState } from "../../playback/video-state.tsx";
import styles from "./clips.module.css";
import { positionOf, secondsOf } from "./position.ts";
import { playerSeconds } from "./seek.ts";

type Clip = CallResult<"listClips">["data"][number];

const refreshMilliseconds = 5000;

/** The clips of a video, and a form that cuts another one. */
export function Clips({ id, seconds }: { id: string; seconds: number }) {
	const { slug } = useDomain();
	const query = usePages("listClips", { params: { id } }, { every: refreshMilliseconds });
	return (
		<Panel title="Clips">
			<CutForm id={id} seconds={seconds} />
			<Loaded query={query}>
				{() =>
					query.items.length === 0 ? (
						<p className="muted">None. A clip is a new video of a stretch of this one, without another encode.</p>
					) : (
						<>
							<Table
								label="Clips of this video"
								columns={columnsOf(slug)}
								rows={query.items}
								rowKey={({ video }) => video.id}
							/>
							<More query={query} count={query.items.length} />
						</>
					)
				}
			</Loaded>
		</Panel>
	);
}

const columnsOf = (domain: string): Column<Clip>[] => [
	{
		name: "Clip",
		cell: ({ title, video: { id, external_ref } }) => (
			<Link to="/d/$domain/videos/$id" params={{ domain, id }}>
				<bdi>{title ?? external_ref ?? id.slice(0, 8)}</bdi>
			</Link>
		),
	},
	{ name: "State", isPlain: true, cell: ({ video }) => <VideoState video={video} /> },
	{ name: "From", numeric: true, cell: ({ start_seconds }) => positionOf(start_seconds) },
	{ name: "To", numeric: true, cell: ({ end_seconds }) => positionOf(end_seconds) },
	{ name: "Created", numeric: true, isPlain: true, wide: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

function CutForm({ id, seconds }: { id: string; seconds: number }) {
	const [from, setFrom] = useState("0:00");
	const [to, setTo] = useState(positionOf(seconds));
	const [title, setTitle] = useState("");
	const cut = useAction("createClip", { changes: ["listClips", "listVideos"], onSuccess: () => setTitle("") });
	const [start, end] = [secondsOf(from), secondsOf(to)];
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (start === undefined || end === undefined || cut.isPending) return;
		const named = title.trim() === "" ? {} : { title: title.trim() };
		cut.mutate({ params: { id }, body: { start_seconds: start, end_seconds: end, ...named } });
	};
	return (
		<form className={`stack ${styles.cut ?? ""}`} onSubmit={submit}>
			<div className={styles.form}>
				<Moment label="From" value={from} onChange={setFrom} />
				<Moment label="To" value={to} onChange={setTo} />
				<Field label="Title" value={title} onChange={setTitle} hint="Left empty: this video's." autoComplete="off" />
				<Button type="submit" isPending={cut.isPending} isDisabled={start === undefined || end === undefined}>
					Cut a clip
				</Button>
			</div>
			<Problem error={cut.error} />
		</form>
	);
}

/** A moment of the video, which may be taken from the player. */
function Moment({ label, value, onChange }: { label: string; value: string; onChange: (text: string) => void }) {
	return (
		<div className={styles.moment}>
			<Field
				label={label}
				value={value}
				onChange={onChange}
				error={secondsOf(value) === undefined ? "Write it as 1:02.5." : undefined}
				autoComplete="off"
			/>
			<Button
				kind="quiet"
				size="small"
				aria-label={`${label}: player's time`}
				onPress={() => onChange(positionOf(playerSeconds()))}
			>
				Player's time
			</Button>
		</div>
	);
}

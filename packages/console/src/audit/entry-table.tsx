import type { CallResult } from "@reelmill/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Id } from "../components/copy.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import styles from "./entry-table.module.css";
import { actionWords, actorWords } from "./words.ts";

export type Entry = CallResult<"listAudit">["data"][number];

type EntryTableProps = {
	entries: readonly Entry[];
	/** What is shown of the domain that a change concerns (default: no column). */
	domain?: (id: string | null) => ReactNode;
	/** Whether all is about one thing, on a page that has no filters (default: false). */
	isOfOne?: boolean;
};

/** Changes: what was done to what, by whom, from where and when. */
export function EntryTable({ entries, domain, isOfOne = false }: EntryTableProps) {
	const columns: Column<Entry>[] = [
		{ name: "Change", cell: (entry) => <Change entry={entry} /> },
		...(isOfOne ? [] : [{ name: "Of", cell: (entry: Entry) => <Resource entry={entry} /> }]),
		{ name: "By", cell: (entry) => <By entry={entry} isLink={!isOfOne} /> },
		...(domain ? [{ name: "Domain", wide: true, cell: (entry: Entry) => domain(entry.domain_id) }] : []),
		{
			name: "Address",
			wide: true,
			cell: ({ address }) => <span className={address === null ? "muted" : styles.address}>{address ?? "none"}</span>,
		},
		{
			name: "Request",
			wide: true,
			cell: ({ request_id: id }) =>
				id === null ? <span className="muted">none</span> : <Id id={id} label="Copy request id" />,
		},
		{ name: "When", numeric: true, cell: ({ at }) => <Time at={at} /> },
	];
	return <Table label="Changes" columns={columns} rows={entries} rowKey={({ id }) => id} />;
}

const Change = ({ entry: { action, changed } }: { entry: Entry }) => (
	<div className={styles.words}>
		{actionWords(action)}
		{changed.length > 0 && (
			<div className={styles.changed}>
				{changed.map((name) => (
					<code key={name}>{name}</code>
				))}
			</div>
		)}
	</div>
);

/** What a change was done to, by the name that it had then. */
const Resource = ({ entry: { resource } }: { entry: Entry }) => (
	<div className={styles.resource}>
		{resource.kind !== "outro" && resource.kind !== "viewer" && resource.label === null ? (
			<Id id={resource.id} />
		) : (
			<bdi title={resource.id}>{resource.label ?? resource.id}</bdi>
		)}{" "}
		<span className={`muted small ${styles.kind}`}>{resource.kind.replaceAll("_", " ")}</span>
	</div>
);

/** Leads to all that the same actor changed, on a page that has filters. */
function By({ entry: { actor }, isLink }: { entry: Entry; isLink: boolean }) {
	const words = <bdi className={styles.words}>{actorWords(actor)}</bdi>;
	if (!isLink) return words;
	return (
		<Link
			to="."
			search={((before: object) => ({ ...before, actor: actor.id ?? actor.label })) as never}
			activeProps={{}}
		>
			{words}
		</Link>
	);
}

import type { CallResult } from "@reelmill/client";
import type { StoragePlace } from "@reelmill/contracts";
import type { UseQueryResult } from "@tanstack/react-query";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { formatBytes, formatCount } from "../../format/amounts.ts";

const nameOf = ({ backend, bucket, key_prefix, location_id }: StoragePlace): string => {
	if (backend === "local") return "Local disk";
	return backend === "s3_platform" ? `Location ${location_id}` : `${bucket}${key_prefix ? `/${key_prefix}` : ""}`;
};

/** What lies where: each place that the domain stores in, or stored in, with its videos and bytes. */
export function Places({ query }: { query: UseQueryResult<CallResult<"listStoragePlaces">> }) {
	return (
		<Panel title="Where your videos are">
			<Loaded query={query}>
				{({ data }) => (
					<Table
						label="Places"
						rows={data}
						rowKey={({ id }) => id ?? "local"}
						columns={[
							{ name: "Place", cell: (place) => <bdi>{nameOf(place)}</bdi> },
							{
								name: "State",
								cell: ({ is_current, last_error }) =>
									last_error !== null ? (
										<StateBadge state="failed" />
									) : (
										<StateBadge state={is_current ? "active" : "idle"}>{is_current ? "in use" : "kept"}</StateBadge>
									),
							},
							{ name: "Videos", numeric: true, cell: ({ videos }) => formatCount(videos) },
							{ name: "Size", numeric: true, cell: ({ bytes }) => formatBytes(bytes) },
							{
								name: "Since",
								numeric: true,
								wide: true,
								cell: ({ created_at }) => <Time at={created_at} none="the beginning" />,
							},
						]}
					/>
				)}
			</Loaded>
			<p className="muted small">Videos stay where they were uploaded. Counted every 30 seconds.</p>
		</Panel>
	);
}

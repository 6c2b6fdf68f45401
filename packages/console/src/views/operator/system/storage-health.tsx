import type { CallResult } from "@reelmill/client";
import { Link } from "@tanstack/react-router";
import { Panel } from "../../../components/panel.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { formatCount } from "../../../format/amounts.ts";

type Storage = CallResult<"getSystem">["storage"];
type Place = {
	readonly key: string;
	readonly name: React.ReactNode;
	readonly kind: string;
	readonly domains: number | null;
	readonly error: string | null;
	readonly isKnown: boolean;
	readonly verifiedAt: string | null;
};

/** Every place where bytes lie: the local disk, the locations, and the tenants' buckets whose last use failed. */
export function StorageHealth({ storage }: { storage: Storage }) {
	return (
		<Panel title="Storage">
			<Table
				label="Health of the storage"
				rows={placesOf(storage)}
				rowKey={({ key }) => key}
				columns={[
					{ name: "Place", cell: ({ name }) => name },
					{ name: "Kind", wide: true, cell: ({ kind }) => kind },
					{ name: "Health", cell: ({ error, isKnown }) => <Health error={error} isKnown={isKnown} /> },
					{ name: "Domains", numeric: true, cell: ({ domains }) => (domains === null ? "" : formatCount(domains)) },
					{
						name: "Last checked",
						numeric: true,
						wide: true,
						cell: ({ verifiedAt }) => <Time at={verifiedAt} none="–" />,
					},
				]}
			/>
		</Panel>
	);
}

function placesOf({ local, locations, failing_buckets: buckets }: Storage): Place[] {
	const isForeign = local.is_own === false;
	return [
		{
			key: "local",
			name: "Local disk",
			kind: "of the servers",
			domains: local.domains,
			error: isForeign ? "The mounted disk is not the one with the files. Nothing is read or written." : null,
			isKnown: true,
			verifiedAt: null,
		},
		...locations.map((location) => ({
			key: location.id,
			name: `${location.name} (${location.bucket})`,
			kind: "location",
			domains: location.domains,
			error: location.last_error,
			isKnown: location.last_verified_at !== null,
			verifiedAt: location.last_verified_at,
		})),
		...buckets.map((bucket, index) => ({
			key: `${bucket.domain_id} ${index}`,
			name: (
				<Link to="/d/$domain/storage" params={{ domain: bucket.domain_slug }}>
					<bdi>{bucket.bucket}</bdi> of {bucket.domain_slug}
				</Link>
			),
			kind: bucket.is_current ? "tenant's bucket" : "tenant's earlier bucket",
			domains: null,
			error: bucket.last_error,
			isKnown: true,
			verifiedAt: bucket.last_verified_at,
		})),
	];
}

function Health({ error, isKnown }: { error: string | null; isKnown: boolean }) {
	if (error !== null)
		return (
			<>
				<StateBadge state="failed">fails</StateBadge>
				<div className="small">{error}</div>
			</>
		);
	return isKnown ? <StateBadge state="ok">works</StateBadge> : <StateBadge state="unused">not used yet</StateBadge>;
}

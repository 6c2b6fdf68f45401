import type { CallResult } from "@reelmill/client";
import { useCall } from "../../../api/api.tsx";
import { Facts } from "../../../components/facts.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Meter } from "../../../components/meter.tsx";
import { Page } from "../../../components/page.tsx";
import { Panel } from "../../../components/panel.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { Time } from "../../../components/time.tsx";
import { formatBytes, formatCount, formatDuration } from "../../../format/amounts.ts";
import { SettingsInForce } from "./settings-in-force.tsx";
import { StorageHealth } from "./storage-health.tsx";

type SystemNow = CallResult<"getSystem">;

/** What this installation is, and whether its parts are well. It reads again every 10 s. */
export function System() {
	const query = useCall("getSystem", {}, { every: 10_000 });
	return (
		<Page title="System" beside={query.data && <Health system={query.data} />}>
			<Loaded query={query}>
				{(system) => (
					<div className="parts">
						<div className="columns">
							<Panel title="This server">
								<Server system={system} />
							</Panel>
							<Panel title="Database">
								<Database system={system} />
							</Panel>
						</div>
						<StorageHealth storage={system.storage} />
						{system.server && <SettingsInForce settings={system.server.settings} />}
					</div>
				)}
			</Loaded>
		</Page>
	);
}

function Health({ system: { server, storage } }: { system: SystemNow }) {
	const isBad = server?.disk?.takes_writes === false || storage.local.is_own === false;
	if (isBad) return <StateBadge state="failed">storage fails</StateBadge>;
	const fails = storage.failing_buckets.length + storage.locations.filter(({ last_error }) => last_error).length;
	if (fails > 0) return <StateBadge state="warn" tone="warn">{`${fails} failing`}</StateBadge>;
	return <StateBadge state="ok">healthy</StateBadge>;
}

const Server = ({ system: { version, started_at, base_url, server } }: { system: SystemNow }) => (
	<div className="stack">
		<Facts
			rows={[
				["Version", version],
				["Address", base_url],
				["Started", <Time key="started" at={started_at} />],
				["Disk", server?.disk && <Disk takesWrites={server.disk.takes_writes} />],
			]}
		/>
		{server?.disk && (
			<Meter
				label="Disk of the data directory"
				value={server.disk.total_bytes - server.disk.free_bytes}
				limit={server.disk.total_bytes}
				format={formatBytes}
			/>
		)}
	</div>
);

const Disk = ({ takesWrites }: { takesWrites: boolean }) =>
	takesWrites ? (
		<StateBadge state="ok">writable</StateBadge>
	) : (
		<StateBadge state="failed">not writable: free some space, or check the disk</StateBadge>
	);

const Database = ({ system: { database } }: { system: SystemNow }) => (
	<Facts
		rows={[
			["PostgreSQL", database.version],
			["Size", formatBytes(database.size_bytes)],
			["Schema", `${database.last_migration} (${formatCount(database.migrations)} migrations)`],
			["Clock", clock(database.clock_ahead_milliseconds)],
		]}
	/>
);

/** How the server's clock stands to the database's. */
function clock(ahead: number): string {
	if (Math.abs(ahead) < 50) return "the server and the database agree";
	return `the server is ${formatDuration(Math.abs(ahead) / 1000)} ${ahead > 0 ? "ahead of" : "behind"} the database`;
}

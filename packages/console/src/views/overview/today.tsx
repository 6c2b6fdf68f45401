import { useCall } from "../../api/api.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Meter } from "../../components/meter.tsx";
import { Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { formatBytes, formatCount } from "../../format/amounts.ts";

/** Today's use against the domain's limits. */
export function Today() {
	const query = useCall("getUsage", {}, { every: 10_000 });
	return (
		<Panel title="Today">
			<Loaded query={query}>
				{({ limits, remaining, storage_bytes, resets_at }) => (
					<div className="stack">
						<div className="columns">
							<Meter
								label="Uploads"
								value={limits.daily_upload_bytes - remaining.upload_bytes}
								limit={limits.daily_upload_bytes}
								format={formatBytes}
							/>
							<Meter label="Storage" value={storage_bytes} limit={limits.storage_bytes_limit} format={formatBytes} />
							<Meter
								label="Processing at once"
								value={limits.max_concurrent_processing - remaining.processing_slots}
								limit={limits.max_concurrent_processing}
								format={formatCount}
							/>
						</div>
						<p className="muted small">
							Uploads count with those under way, and anew <Time at={resets_at} />, at midnight UTC.
						</p>
					</div>
				)}
			</Loaded>
		</Panel>
	);
}

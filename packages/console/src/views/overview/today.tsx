import { useCall } from "../../api/api.tsx";
import { Figures } from "../../components/figures.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Share } from "../../components/meter.tsx";
import { Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { formatBytes, formatCount } from "../../format/amounts.ts";

/** Today's use in three figures, each with its limit. */
export function Today() {
	const query = useCall("getUsage", {}, { every: 10_000 });
	return (
		<Panel title="Today">
			<Loaded query={query}>
				{({ limits, remaining, storage_bytes: stored, resets_at: resets }) => {
					const uploaded = limits.daily_upload_bytes - remaining.upload_bytes;
					const running = limits.max_concurrent_processing - remaining.processing_slots;
					return (
						<Figures
							label="Today"
							figures={[
								{
									name: "Uploaded",
									value: formatBytes(uploaded),
									hint: (
										<>
											<Share label="Uploaded" value={uploaded} limit={limits.daily_upload_bytes} />
											of {formatBytes(limits.daily_upload_bytes)}. Resets <Time at={resets} />, at midnight UTC.
										</>
									),
								},
								{
									name: "Stored",
									value: formatBytes(stored),
									hint: (
										<>
											<Share label="Stored" value={stored} limit={limits.storage_bytes_limit} />
											of {formatBytes(limits.storage_bytes_limit)}
										</>
									),
								},
								{
									name: "Processing now",
									value: formatCount(running),
									hint: (
										<>
											<Share label="Processing now" value={running} limit={limits.max_concurrent_processing} />
											of {formatCount(limits.max_concurrent_processing)} at once
										</>
									),
								},
							]}
						/>
					);
				}}
			</Loaded>
		</Panel>
	);
}

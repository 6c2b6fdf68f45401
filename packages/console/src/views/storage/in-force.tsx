import type { StorageView } from "@reelmill/contracts";
import { Facts } from "../../components/facts.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { Time } from "../../components/time.tsx";

export const backendNames = {
	local: "The service's local disk",
	s3_platform: "A location of the platform",
	s3_tenant: "Your own bucket",
} as const;

/** The profile in force: its place, its version, and whether its last use worked. */
export function InForce({ view }: { view: StorageView }) {
	const isBroken = view.last_error !== null;
	return (
		<Facts
			rows={[
				["Stored in", backendNames[view.backend]],
				["Status", isBroken ? <StateBadge key="state" state="failed" /> : <StateBadge key="state" state="ok" />],
				["Last error", isBroken ? <bdi key="error">{view.last_error}</bdi> : undefined],
				["Location", view.location_id ?? undefined],
				["Endpoint", view.backend === "s3_tenant" ? (view.endpoint ?? "AWS") : undefined],
				["Region", view.region ?? undefined],
				["Bucket", view.bucket ?? undefined],
				["Key prefix", view.key_prefix ?? undefined],
				["Access key", view.access_key_id_last4 === null ? undefined : `…${view.access_key_id_last4}`],
				["Public address", view.public_base_url ?? undefined],
				["Version", view.version],
				["Last checked", view.backend === "local" ? undefined : <Time key="verified" at={view.last_verified_at} />],
				[
					"Public copies",
					view.publications_waiting === 0 ? undefined : `${view.publications_waiting} videos are waiting to be copied`,
				],
			]}
		/>
	);
}

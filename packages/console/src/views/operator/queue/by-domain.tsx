import type { CallResult } from "@reelmill/client";
import { Link } from "@tanstack/react-router";
import { Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { formatCount } from "../../../format/amounts.ts";

/** The domains with most to do. A domain's name narrows the jobs to its own. */
export function ByDomain({ domains }: { domains: CallResult<"getQueue">["domains"] }) {
	return (
		<Table
			label="The queue by domain"
			isLinked
			rows={domains}
			rowKey={({ domain_id }) => domain_id}
			columns={[
				{
					name: "Domain",
					cell: ({ domain_id, domain_slug }) => (
						<Link to="." search={((before: object) => ({ ...before, domain: domain_id })) as never} activeProps={{}}>
							{domain_slug ?? "deleted domain"}
						</Link>
					),
				},
				{ name: "Waiting", numeric: true, cell: ({ waiting }) => formatCount(waiting) },
				{
					name: "Running",
					numeric: true,
					cell: ({ running, max_concurrent_processing: most }) => (
						<span title="running, of the domain's max_concurrent_processing">
							{formatCount(running)} <span className="muted">of {formatCount(most)}</span>
						</span>
					),
				},
				{ name: "Held back", numeric: true, wide: true, cell: ({ held_back }) => formatCount(held_back) },
				{ name: "Oldest", numeric: true, cell: ({ oldest_queued_at: at }) => <Time at={at} none="–" /> },
			]}
		/>
	);
}

import type { CallInput } from "@reelmill/client";
import { usePages } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/empty.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { More } from "../../components/table.tsx";
import { useSteadyRows } from "../videos/use-steady-rows.ts";
import { Deliveries } from "./deliveries.tsx";

export type DeliveryFilter = NonNullable<CallInput<"listWebhookDeliveries">["query"]>;

/** A list that somebody has leafed through far is read again when they come back to it. */
const livePages = 3;

/** The deliveries of a filter, newest first. Rows change in place; new ones are offered, not pushed in. */
export function DeliveryList({ filter, isReady }: { filter: DeliveryFilter; isReady: boolean }) {
	const query = usePages(
		"listWebhookDeliveries",
		{ query: filter },
		{ every: (pages) => (pages <= livePages ? 5000 : undefined) },
	);
	const { shown, arrived, showAll } = useSteadyRows(query.items);
	return (
		<Loaded query={query}>
			{() =>
				shown.length === 0 ? (
					<NoDeliveries isFiltered={Object.keys(filter).length > 0} isReady={isReady} />
				) : (
					<>
						<div aria-live="polite">
							{arrived > 0 && (
								<Button size="small" onPress={showAll}>
									Show {arrived} new
								</Button>
							)}
						</div>
						<Deliveries rows={shown} />
						<More query={query} count={shown.length} />
					</>
				)
			}
		</Loaded>
	);
}

function NoDeliveries({ isFiltered, isReady }: { isFiltered: boolean; isReady: boolean }) {
	if (isFiltered)
		return (
			<Empty title="No delivery fits these filters">
				<p>Deliveries are kept for 30 days after their last attempt, unless the operator chose otherwise.</p>
			</Empty>
		);
	return (
		<Empty title="No deliveries yet">
			<p>
				{isReady
					? "Send a test event, or wait for a video to be ready."
					: "Set an address and a secret above. Earlier events are not sent."}
			</p>
		</Empty>
	);
}

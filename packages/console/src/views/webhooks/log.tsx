import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { usePages } from "../../api/api.tsx";
import { Choice } from "../../components/choice.tsx";
import { Empty } from "../../components/empty.tsx";
import { Field } from "../../components/field.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { Segments } from "../../components/segments.tsx";
import { More } from "../../components/table.tsx";
import { Deliveries } from "./deliveries.tsx";
import styles from "./log.module.css";
import { ReplayFailed } from "./replay-failed.tsx";

const route = getRouteApi("/d/$domain/webhooks");
const statuses = ["pending", "failed", "delivered"] as const;
const types = ["video.ready", "video.failed", "video.expired", "video.cancelled", "webhook.test"] as const;
const isOf = <T extends string>(list: readonly T[], text: string | undefined): text is T => list.includes(text as T);

/** The log of deliveries, newest first. Its filters are in the URL. */
export function Log({ isReady }: { isReady: boolean }) {
	const search = route.useSearch();
	const navigate = useNavigate();
	const status = isOf(statuses, search.status) ? search.status : undefined;
	const type = isOf(types, search.type) ? search.type : undefined;
	const video_id = search.video_id;
	const filter = (change: Record<string, string | undefined>) =>
		void navigate({ to: ".", search: ((before: object) => ({ ...before, ...change })) as never, replace: true });
	// A video's id that isn't whole yet is no filter.
	const video = video_id?.length === 36 ? { video_id } : {};
	const query = usePages(
		"listWebhookDeliveries",
		{ query: { ...(status && { status }), ...(type && { type }), ...video } },
		{ every: 5000, keep: true },
	);
	const isFiltered = status !== undefined || type !== undefined || video_id !== undefined;
	return (
		<Panel title="Deliveries">
			<div className="stack">
				<ReplayFailed />
				<div className={styles.filters}>
					<Segments
						label="Status"
						segments={[
							{ label: "All", search: { status: undefined }, isCurrent: status === undefined },
							...statuses.map((one) => ({
								label: one.charAt(0).toUpperCase() + one.slice(1),
								search: { status: one },
								isCurrent: status === one,
							})),
						]}
					/>
					<div className={styles.narrow}>
						<Choice
							label="Event"
							isLabelHidden
							value={type ?? "all"}
							onChange={(value) => filter({ type: value === "all" ? undefined : value })}
							options={[
								{ value: "all", label: "All events" },
								...types.map((value) => ({ value: value as string, label: value })),
							]}
						/>
					</div>
					<div className={styles.video}>
						<Field
							label="Video id"
							type="search"
							value={video_id ?? ""}
							onChange={(value) => filter({ video_id: value.trim() === "" ? undefined : value.trim() })}
						/>
					</div>
				</div>
				<Loaded query={query}>
					{() =>
						query.items.length === 0 ? (
							<Empty title={isFiltered ? "No delivery fits these filters" : "No deliveries yet"}>
								<p>
									{isFiltered
										? "Deliveries end 30 days after their last attempt, unless the operator chose otherwise."
										: isReady
											? "Send a test event, or wait for a video to be ready."
											: "Set an address and a secret above. Events that happen before are not told."}
								</p>
							</Empty>
						) : (
							<>
								<Deliveries rows={query.items} />
								<More query={query} count={query.items.length} />
							</>
						)
					}
				</Loaded>
			</div>
		</Panel>
	);
}

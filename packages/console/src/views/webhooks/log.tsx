import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Choice } from "../../components/choice.tsx";
import { Field } from "../../components/field.tsx";
import { Panel } from "../../components/panel.tsx";
import { Segments } from "../../components/segments.tsx";
import { type DeliveryFilter, DeliveryList } from "./delivery-list.tsx";
import styles from "./log.module.css";
import { ReplayFailed } from "./replay-failed.tsx";

const route = getRouteApi("/d/$domain/webhooks");
const statuses = ["pending", "failed", "delivered"] as const;
const types = [
	"video.ready",
	"video.failed",
	"video.expired",
	"video.cancelled",
	"video.updated",
	"webhook.test",
] as const;
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
	const chosen: DeliveryFilter = { ...(status && { status }), ...(type && { type }), ...video };
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
							placeholder="Video id"
							isLabelHidden
							type="search"
							value={video_id ?? ""}
							onChange={(value) => filter({ video_id: value.trim() === "" ? undefined : value.trim() })}
						/>
					</div>
				</div>
				<DeliveryList key={JSON.stringify(chosen)} filter={chosen} isReady={isReady} />
			</div>
		</Panel>
	);
}

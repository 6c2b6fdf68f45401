import { useCall } from "../../api/api.tsx";
import { Segments } from "../../components/segments.tsx";
import { formatCount } from "../../format/amounts.ts";
import { stateNames } from "../../playback/video-state.tsx";

/** States that always have a tab; the others get one while a video is in them. */
const always = ["available", "failed"];
const short: Readonly<Record<string, string>> = {
	pending_upload: "Uploading",
	uploaded: "Waiting",
	queued: "Queued",
	locked: "Starting",
	timeout: "Timed out",
};

type StateTabsProps = {
	state: string | undefined;
	/** The counts are of the whole domain: beside a reference they would mislead. */
	hasReference: boolean;
};

/** The states of videos as tabs, each with how many there are. */
export function StateTabs({ state, hasReference }: StateTabsProps) {
	const { data } = useCall("countVideos", {}, { every: 5000 });
	const rows = data?.data ?? [];
	const label = (count: number, more: boolean) =>
		hasReference ? undefined : `${formatCount(count)}${more ? "+" : ""}`;
	const all = rows.reduce((sum, { count }) => sum + count, 0);
	const shown = rows.filter((row) => row.count > 0 || row.state === state || always.includes(row.state));
	const nameOf = (key: keyof typeof stateNames) => {
		const name = short[key] ?? stateNames[key];
		return name.charAt(0).toUpperCase() + name.slice(1);
	};
	return (
		<Segments
			label="States of videos"
			segments={[
				{
					label: "All",
					search: { state: undefined },
					isCurrent: state === undefined,
					count:
						data === undefined
							? undefined
							: label(
									all,
									rows.some(({ more }) => more),
								),
				},
				...shown.map((row) => ({
					label: nameOf(row.state),
					search: { state: row.state },
					isCurrent: state === row.state,
					count: label(row.count, row.more),
				})),
			]}
		/>
	);
}

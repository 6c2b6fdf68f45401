import type { CallResult } from "@reelmill/client";
import { getRouteApi } from "@tanstack/react-router";
import { Panel } from "../../../components/panel.tsx";
import { Segments } from "../../../components/segments.tsx";
import { Table } from "../../../components/table.tsx";

type Settings = NonNullable<CallResult<"getSystem">["server"]>["settings"];
const route = getRouteApi("/operator/system");

/** The server's settings. Secrets are only said to be set. */
export function SettingsInForce({ settings }: { settings: Settings }) {
	const { settings: shown } = route.useSearch();
	const isAll = shown !== "set";
	const set = settings.filter(({ is_set }) => is_set);
	return (
		<Panel
			title="Settings in force"
			actions={
				<Segments
					label="Which settings"
					segments={[
						{ label: "All", search: { settings: undefined }, isCurrent: isAll, count: settings.length },
						{ label: "Set by you", search: { settings: "set" }, isCurrent: !isAll, count: set.length },
					]}
				/>
			}
		>
			<Table
				label="Settings and their values"
				rows={isAll ? settings : set}
				rowKey={({ name }) => name}
				columns={[
					{
						name: "Setting",
						cell: ({ name, description }) => (
							<>
								<code>{name}</code>
								<div className="muted small">{description}</div>
							</>
						),
					},
					{ name: "Value", cell: (setting) => <Value {...setting} /> },
					{ name: "From", wide: true, cell: ({ is_set }) => (is_set ? "you" : <Muted>default</Muted>) },
				]}
			/>
		</Panel>
	);
}

const Muted = ({ children }: { children: string }) => <span className="muted">{children}</span>;

function Value({ value, default: words, is_set: isSet, is_secret: isSecret }: Settings[number]) {
	if (isSecret && isSet) return <Muted>secret, set</Muted>;
	return value === null ? <Muted>{words ?? "not set"}</Muted> : <code>{value}</code>;
}

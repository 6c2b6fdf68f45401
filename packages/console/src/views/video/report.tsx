import type { VideoWarning } from "@reelmill/contracts";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useCall } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Code } from "../../components/copy.tsx";
import { Facts } from "../../components/facts.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import styles from "./report.module.css";
import { partsOf, type RawReport } from "./report-parts.ts";

/** How a video was processed: what to beware of, what came in, what was decided and why. */
export function Report({ id }: { id: string }) {
	const query = useCall("getVideoReport", { params: { id } });
	const [isRaw, setIsRaw] = useState(false);
	const report = query.data?.report ?? null;
	return (
		<Panel
			title="Processing"
			actions={
				report !== null && (
					<Button size="small" kind="quiet" onPress={() => setIsRaw(!isRaw)}>
						{isRaw ? "As a table" : "As JSON"}
					</Button>
				)
			}
		>
			<Loaded query={query}>
				{() => {
					if (report === null)
						return (
							<p className="muted">
								The report appears once the video is available, or has failed because of its file.
							</p>
						);
					return isRaw ? (
						<Code text={JSON.stringify(report, null, 2)} label="Copy report" />
					) : (
						<Readable report={report} warnings={query.data?.warnings ?? []} />
					);
				}}
			</Loaded>
		</Panel>
	);
}

function Readable({ report, warnings }: { report: RawReport; warnings: readonly VideoWarning[] }) {
	const { source, decisions, failure } = partsOf(report);
	const facts = Object.entries(source).map(([name, value]) => [nameOf(name), textOf(name, value)] as const);
	return (
		<div className="stack">
			{failure !== null && <Warning text={failure} />}
			{warnings.length > 0 && (
				<ul aria-label="Warnings" className={styles.warnings}>
					{warnings.map(({ code, message, detail }) => (
						<li key={code}>
							<Warning text={detail === undefined ? message : `${message} ${detail}`} />
						</li>
					))}
				</ul>
			)}
			<div className={styles.both}>
				{facts.length > 0 && (
					<div className="stack">
						<h3>What came in</h3>
						<Facts rows={facts} />
					</div>
				)}
				{decisions.length > 0 && (
					<div className="stack">
						<h3>What was decided</h3>
						<Table
							label="Decisions"
							rows={decisions.map((decision, index) => ({ ...decision, key: String(index) }))}
							rowKey={({ key }) => key}
							columns={[
								{
									name: "About",
									cell: ({ about }) => <span className={styles.about}>{about.replaceAll("_", " ")}</span>,
								},
								{ name: "Decided", cell: ({ decision }) => decision },
								{ name: "Because", cell: ({ because }) => because },
							]}
						/>
					</div>
				)}
			</div>
		</div>
	);
}

const Warning = ({ text }: { text: string }) => (
	<p className={styles.warning}>
		<TriangleAlert size={16} aria-hidden />
		<span>{text}</span>
	</p>
);

const names: Readonly<Record<string, string>> = {
	duration_seconds: "Length",
	declared_seconds: "Length declared",
	found_seconds: "Length found",
	audio_codec: "Sound",
	video_codec: "Codec",
};

/** What people call a fact of the source; another one by its own name. */
const nameOf = (name: string): string =>
	names[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;

function textOf(name: string, value: unknown): string | null {
	if (value === null || value === undefined) return null;
	return name.endsWith("_seconds") ? `${String(value)} s` : String(value);
}

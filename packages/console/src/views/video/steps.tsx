import { Fragment } from "react";
import { formatDuration } from "../../format/amounts.ts";
import styles from "./report.module.css";
import type { Step } from "./report-parts.ts";

const names: Readonly<Record<string, string>> = {
	fetch: "Fetching the source",
	look: "Looking at it",
	encode: "Encoding",
	transcribe: "Transcribing",
	package: "Packaging and proving",
	outro: "Adding the outro",
	send: "Sending the outputs",
};

/** The steps of an attempt as bars, each as long as it took. Some run side by side. */
export function Steps({ steps }: { steps: readonly Step[] }) {
	const longest = Math.max(0.001, ...steps.map(({ seconds }) => seconds));
	return (
		<dl className={styles.steps}>
			{steps.map(({ step, seconds }) => (
				<Fragment key={step}>
					<dt>{names[step] ?? step}</dt>
					<dd aria-hidden>
						<div className={styles.bar} style={{ width: `${(seconds / longest) * 100}%` }} />
					</dd>
					<dd className="numeric">{formatDuration(seconds)}</dd>
				</Fragment>
			))}
		</dl>
	);
}

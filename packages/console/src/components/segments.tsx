import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import styles from "./segments.module.css";

type Segment = {
	readonly label: string;
	/** What the URL's search becomes; what it doesn't name stays. An undefined value is taken out. */
	readonly search: Readonly<Record<string, string | undefined>>;
	readonly isCurrent: boolean;
	/** How many there are, such as "12,408". */
	readonly count?: ReactNode;
};

/** Filters of which one is chosen, such as the states of videos. They are links: the URL holds the choice. */
export function Segments({ label, segments }: { label: string; segments: readonly Segment[] }) {
	return (
		<nav aria-label={label} className={styles.segments}>
			{segments.map(({ label: name, search, isCurrent, count }) => (
				<Link
					key={name}
					to="."
					search={((before: object) => ({ ...before, ...search })) as never}
					className={styles.segment}
					data-current={isCurrent || undefined}
					aria-current={isCurrent ? "true" : undefined}
					activeProps={{}}
				>
					{name}
					{count !== undefined && <span className={styles.count}>{count}</span>}
				</Link>
			))}
		</nav>
	);
}

/** Of how many days something is shown; the URL holds the choice, and leaves out the 30 of the beginning. */
export function Period({ choices, days }: { choices: readonly string[]; days: string }) {
	const segments = choices.map((each) => ({
		label: `${each} days`,
		search: { days: each === "30" ? undefined : each },
		isCurrent: days === each,
	}));
	return <Segments label="Period" segments={segments} />;
}

import type { ReactNode } from "react";
import styles from "./figures.module.css";

type FiguresProps = {
	/** What the figures are of, for screen readers. */
	label: string;
	figures: readonly { readonly name: string; readonly value: ReactNode; readonly hint?: ReactNode }[];
};

/** A few large numbers in a row, each with its name above and what it means below: to be seen at a glance. */
export function Figures({ label, figures }: FiguresProps) {
	return (
		<dl className={styles.figures} aria-label={label}>
			{figures.map(({ name, value, hint }) => (
				<div key={name} className={styles.figure}>
					<dt>{name}</dt>
					<dd className="numeric">{value}</dd>
					{hint && <dd className={styles.hint}>{hint}</dd>}
				</div>
			))}
		</dl>
	);
}

import type { ReactNode } from "react";
import styles from "./facts.module.css";

/** Names and values, one below the other. A row whose value is undefined is left out. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
	return (
		<dl className={styles.facts}>
			{rows
				.filter(([, value]) => value !== undefined)
				.map(([name, value]) => [
					<dt key={`${name} name`}>{name}</dt>,
					<dd key={name}>{value === null || value === "" ? <span className="muted">none</span> : value}</dd>,
				])}
		</dl>
	);
}

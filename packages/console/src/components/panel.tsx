import { type ReactNode, useId } from "react";
import styles from "./panel.module.css";

/** A part of a view with a heading of its own, and what can be done with it at the right. */
export function Panel({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
	const id = useId();
	return (
		<section className={styles.panel} aria-labelledby={id}>
			<div className={styles.head}>
				<h2 id={id}>{title}</h2>
				{actions && <div className="row">{actions}</div>}
			</div>
			{children}
		</section>
	);
}

import { type ReactNode, useId } from "react";
import styles from "./panel.module.css";

type PanelProps = {
	title: string;
	/** What can be done with it, at the right. */
	actions?: ReactNode;
	/** Sets it apart by a ground, as something to be acted on (default: false). */
	isRaised?: boolean;
	children: ReactNode;
};

/** A part of a view with a heading of its own. */
export function Panel({ title, actions, isRaised, children }: PanelProps) {
	const id = useId();
	return (
		<section className={styles.panel} data-raised={isRaised || undefined} aria-labelledby={id}>
			<div className={styles.head}>
				<h2 id={id}>{title}</h2>
				{actions && <div className="row">{actions}</div>}
			</div>
			{children}
		</section>
	);
}

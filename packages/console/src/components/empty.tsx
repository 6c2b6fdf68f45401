import type { ReactNode } from "react";
import styles from "./empty.module.css";

/** What stands where nothing is yet: why, and the one command or button that ends the emptiness. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
	return (
		<div className={styles.empty}>
			<h2>{title}</h2>
			{children}
		</div>
	);
}

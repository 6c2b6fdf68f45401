import styles from "./skeleton.module.css";

/** Grey lines in the place of what is read for the first time. Old data is never replaced by them. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
	return (
		<div className={styles.skeleton} role="status" aria-label="Loading">
			{Array.from({ length: lines }, (_, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: The lines are all alike.
				<div key={index} className={styles.line} />
			))}
		</div>
	);
}

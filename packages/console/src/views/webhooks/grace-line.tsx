import { useEffect, useState } from "react";
import { exactTime } from "../../format/time.ts";
import styles from "./grace-line.module.css";

const hour = 3_600_000;

/** The hour in which two secrets sign, as a line: who signs until when, and where in it the present is. */
export function GraceLine({ ends }: { ends: string }) {
	const [now, setNow] = useState(() => Date.now());
	useEffect(() => {
		const timer = setInterval(() => setNow(Date.now()), 10_000);
		return () => clearInterval(timer);
	}, []);
	const left = Math.max(0, Date.parse(ends) - now);
	const minutes = Math.ceil(left / 60_000);
	if (left === 0) return <p className="muted">The earlier secret no longer signs.</p>;
	const passed = Math.min(1, Math.max(0, 1 - left / hour));
	return (
		<figure className={styles.grace}>
			<figcaption>
				The earlier secret also signs, for {minutes} more {minutes === 1 ? "minute" : "minutes"}.
			</figcaption>
			<div className={styles.lane}>
				<span>New secret</span>
				<div className={styles.track} data-kind="new" />
			</div>
			<div className={styles.lane}>
				<span>Earlier secret</span>
				<div className={styles.track} data-kind="before">
					<div className={styles.passed} style={{ width: `${passed * 100}%` }} />
				</div>
			</div>
			<div className={styles.lane}>
				<span />
				<div className={styles.ends}>
					<time dateTime={ends}>{exactTime(ends)}</time>
				</div>
			</div>
		</figure>
	);
}

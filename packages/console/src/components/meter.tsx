import { useId } from "react";
import styles from "./meter.module.css";

type MeterProps = {
	label: string;
	value: number;
	limit: number;
	/** Makes a number readable, such as `formatBytes`. */
	format: (value: number) => string;
};

/** What is used of a limit, as words and as a bar that warns from 80 % on. */
export function Meter({ label, value, limit, format }: MeterProps) {
	const id = useId();
	const share = limit === 0 ? 1 : value / limit;
	return (
		<div className={styles.meter}>
			<div className={styles.words}>
				<label htmlFor={id}>{label}</label>
				<span className="numeric muted">
					{format(value)} of {format(limit)}
				</span>
			</div>
			<progress id={id} className={styles.bar} max={1} value={Math.min(1, share)} data-tone={toneOf(share)} />
		</div>
	);
}

const toneOf = (share: number) => (share >= 1 ? "bad" : share >= 0.8 ? "warn" : undefined);

/** The bar of a meter alone, where words with the same figures stand beside it. */
export function Share({ label, value, limit }: Omit<MeterProps, "format">) {
	const share = limit === 0 ? 1 : value / limit;
	return (
		<progress aria-label={label} className={styles.bar} max={1} value={Math.min(1, share)} data-tone={toneOf(share)} />
	);
}

/** How far something is, from 0 to 1. */
export function Progress({ label, share }: { label: string; share: number }) {
	return <progress className={styles.bar} aria-label={label} max={1} value={Math.min(1, Math.max(0, share))} />;
}

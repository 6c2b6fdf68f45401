import { type PointerEvent, useId, useState } from "react";
import { formatCount } from "../format/amounts.ts";
import { shortDay } from "../format/time.ts";
import styles from "./day-bars.module.css";

type Series = {
	/** What is counted, such as "uploads". */
	readonly name: string;
	/** One for each day. */
	readonly counts: readonly number[];
	/** Marks what somebody should look at (default: false). */
	readonly isBad?: boolean;
};

type DayBarsProps = {
	title: string;
	/** Oldest first, such as "2026-11-23". */
	days: readonly string[];
	series: readonly Series[];
};

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/**
 * Counts over days as bars from zero, each kind with its total and its most. Pointing at a day tells its counts; a
 * screen reader gets the days as a table.
 */
export function DayBars({ title, days, series }: DayBarsProps) {
	const id = useId();
	const [pointed, setPointed] = useState<number | null>(null);
	const most = Math.max(1, ...series.flatMap(({ counts }) => counts));
	const place = (event: PointerEvent<HTMLDivElement>) => {
		const { left, width } = event.currentTarget.getBoundingClientRect();
		setPointed(Math.min(days.length - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * days.length))));
	};
	return (
		<figure className={styles.chart} aria-labelledby={id}>
			<figcaption id={id} className="visually-hidden">
				{title}
			</figcaption>
			<ul className={styles.legend}>
				{series.map(({ name, counts, isBad }) => (
					<li key={name} className={styles.kind}>
						<span className={styles.swatch} data-bad={isBad || undefined} aria-hidden />
						<strong className="numeric">
							{formatCount(pointed === null ? sumOf(counts) : (counts[pointed] ?? 0))}
						</strong>{" "}
						{name}
						<span className="muted small">
							{pointed === null
								? `at most ${formatCount(Math.max(0, ...counts))} a day`
								: shortDay(days[pointed] ?? "")}
						</span>
					</li>
				))}
			</ul>
			<div className={styles.plot} aria-hidden onPointerMove={place} onPointerLeave={() => setPointed(null)}>
				<span className={styles.most}>{formatCount(most)}</span>
				{days.map((date, index) => (
					<div key={date} className={styles.day} data-pointed={index === pointed || undefined}>
						{series.map(({ name, counts, isBad }) => (
							<div
								key={name}
								className={styles.bar}
								data-bad={isBad || undefined}
								style={{ height: counts[index] ? `max(3px, ${(counts[index] / most) * 100}%)` : 0 }}
							/>
						))}
					</div>
				))}
			</div>
			<div className={styles.ends} aria-hidden>
				{[0, Math.floor(days.length / 2), days.length - 1].map((index) => (
					<span key={index}>{shortDay(days[index] ?? "")}</span>
				))}
			</div>
			<div className="visually-hidden">
				<table>
					<caption>{title}</caption>
					<thead>
						<tr>
							<th scope="col">Day</th>
							{series.map(({ name }) => (
								<th key={name} scope="col">
									{name}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{days.map((date, index) => (
							<tr key={date}>
								<th scope="row">{date}</th>
								{series.map(({ name, counts }) => (
									<td key={name}>{formatCount(counts[index] ?? 0)}</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</figure>
	);
}

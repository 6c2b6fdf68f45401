import { scaleLinear } from "@visx/scale";
import { AreaClosed, LinePath } from "@visx/shape";
import { type PointerEvent, useId, useState } from "react";
import { shortDay } from "../format/time.ts";
import styles from "./area-chart.module.css";

export type Point = {
	/** The day, such as "2026-11-23". */
	readonly label: string;
	readonly value: number;
};

type AreaChartProps = {
	title: string;
	/** Oldest first. */
	points: readonly Point[];
	/** Makes a value readable, such as `formatBytes`. */
	format: (value: number) => string;
};

const [width, height] = [300, 96];

/**
 * A quiet area over days, from zero. Pointing at a day shows its value in place of the newest one; a screen reader gets
 * the days as a table.
 */
export function AreaChart({ title, points, format }: AreaChartProps) {
	const id = useId();
	const [pointed, setPointed] = useState<number | null>(null);
	const last = points.length - 1;
	const shown = points[pointed ?? last];
	const x = scaleLinear<number>({ domain: [0, Math.max(1, last)], range: [0, width] });
	const y = scaleLinear<number>({
		domain: [0, Math.max(1e-9, ...points.map(({ value }) => value))],
		range: [height, 4],
	});
	const place = (event: PointerEvent<SVGSVGElement>) => {
		const { left, width: wide } = event.currentTarget.getBoundingClientRect();
		setPointed(Math.min(last, Math.max(0, Math.round(((event.clientX - left) / wide) * last))));
	};
	return (
		<figure className={styles.chart} aria-labelledby={id}>
			<figcaption id={id} className={styles.head}>
				<span className={styles.name}>{title}</span>
				<span className={styles.name}>{shown && shortDay(shown.label)}</span>
			</figcaption>
			<div className={styles.now} aria-hidden>
				{shown === undefined ? "–" : format(shown.value)}
			</div>
			<svg
				className={styles.picture}
				viewBox={`0 0 ${width} ${height}`}
				preserveAspectRatio="none"
				aria-hidden
				onPointerMove={place}
				onPointerLeave={() => setPointed(null)}
			>
				<AreaClosed
					data={[...points]}
					x={(_, index) => x(index)}
					y={({ value }) => y(value)}
					yScale={y}
					className={styles.area ?? ""}
				/>
				<LinePath
					data={[...points]}
					x={(_, index) => x(index)}
					y={({ value }) => y(value)}
					className={styles.line ?? ""}
				/>
				<line x1={0} x2={width} y1={height} y2={height} className={styles.zero} />
				{pointed !== null && <line x1={x(pointed)} x2={x(pointed)} y1={0} y2={height} className={styles.mark} />}
			</svg>
			<div className={styles.ends} aria-hidden>
				<span>{points[0] && shortDay(points[0].label)}</span>
				<span>{points[last] && shortDay(points[last].label)}</span>
			</div>
			{/* A table takes no width or height that is less than its rows need: it is hidden by what it stands in. */}
			<div className="visually-hidden">
				<table>
					<caption>{title}</caption>
					<tbody>
						{points.map(({ label, value }) => (
							<tr key={label}>
								<th scope="row">{label}</th>
								<td>{format(value)}</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</figure>
	);
}

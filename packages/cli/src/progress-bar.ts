import type { Output } from "./io.ts";
import { bytes, duration } from "./text.ts";

/** The speed is measured over the last seconds. */
const speedWindowSeconds = 6;
const redrawSeconds = 0.1;
const width = 24;

export type ProgressBar = {
	/**
	 * Draws the bytes of an upload, its speed and the time left. If the number of bytes falls, the speed is measured
	 * from there.
	 */
	bytes(sent: number, total: number): void;
	/** Draws a percentage with a title. */
	percent(title: string, percent: number): void;
	/** Removes the bar. Idempotent. */
	clear(): void;
};

/** Creates a bar on one line of a terminal. On any other output it draws nothing. `now` returns milliseconds. */
export function createProgressBar(output: Output, now: () => number = () => performance.now()): ProgressBar {
	let marks: { at: number; sent: number }[] = [];
	let drawnAt = Number.NEGATIVE_INFINITY;
	let drawn = false;

	const eraseLine = () => {
		output.cursorTo?.(0);
		output.clearLine?.(0);
	};
	const draw = (title: string, share: number, more: string, isLast: boolean) => {
		const at = now() / 1000;
		if (!output.isTTY || (!isLast && at - drawnAt < redrawSeconds)) return;
		drawnAt = at;
		drawn = true;
		const full = Math.round(width * share);
		const text = `${title.padEnd(9)} ${"█".repeat(full)}${"░".repeat(width - full)} ${String(Math.floor(100 * share)).padStart(3)} %${more}`;
		eraseLine();
		output.write(text.slice(0, (output.columns || 80) - 1));
	};

	return {
		bytes(sent, total) {
			const at = now() / 1000;
			if (sent < (marks.at(-1)?.sent ?? 0)) marks = [];
			marks = [...marks.filter((mark) => at - mark.at <= speedWindowSeconds), { at, sent }];
			const first = marks[0] ?? { at, sent };
			const speed = at - first.at < 0.25 ? undefined : (sent - first.sent) / (at - first.at);
			const pace =
				speed === undefined || speed === 0
					? ""
					: `  ${bytes(Math.round(speed))}/s  ${duration((total - sent) / speed)} left`;
			draw(
				"Uploading",
				total === 0 ? 1 : sent / total,
				`  ${bytes(sent)} of ${bytes(total)}${sent === total ? "" : pace}`,
				sent === total,
			);
		},
		percent: (title, percent) => draw(title, percent / 100, "", true),
		clear() {
			if (drawn) eraseLine();
			drawn = false;
		},
	};
}

import { formatLength } from "../../format/amounts.ts";

/** A moment of a video as "1:02.5", which `secondsOf` reads. */
export function positionOf(seconds: number): string {
	const thousandths = Math.round(seconds * 1000);
	const rest = (thousandths % 1000) / 1000;
	return `${formatLength(Math.floor(thousandths / 1000))}${rest === 0 ? "" : String(rest).slice(1)}`;
}

/** Reads "1:02.5", "1:00:00" or "62.5"; undefined for what is none. */
export function secondsOf(text: string): number | undefined {
	const [, hours = 0, minutes = 0, seconds] =
		/^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6}(?:\.\d{1,3})?)$/.exec(text.trim()) ?? [];
	return seconds === undefined ? undefined : 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds);
}

const whole = new Intl.NumberFormat("en");
const one = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** 12408 as "12,408". */
export const formatCount = (count: number): string => whole.format(count);

/** Bytes as "1.5 GiB", in steps of 1024: limits are set in them. At most three digits stand before the point. */
export function formatBytes(bytes: number): string {
	let [value, unit] = [bytes, 0];
	while (Math.abs(value) >= 999.95 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
	return `${one.format(value)} ${units[unit]}`;
}

/** The length of a video: "12:04", "1:02:03". */
export function formatLength(seconds: number): string {
	const all = Math.round(seconds);
	const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
	const two = (number: number) => String(number).padStart(2, "0");
	return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** How long something took: "640 ms", "41 s", "3 min 20 s", "2 h 5 min", "3 d". */
export function formatDuration(seconds: number): string {
	if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
	if (seconds < 10) return `${one.format(seconds)} s`;
	const all = Math.round(seconds);
	if (all < 60) return `${all} s`;
	if (all < 3600) return join(Math.floor(all / 60), "min", all % 60, "s");
	if (all < 172_800) return join(Math.floor(all / 3600), "h", Math.floor(all / 60) % 60, "min");
	return join(Math.floor(all / 86_400), "d", Math.floor(all / 3600) % 24, "h");
}

const join = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
	small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;

const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
	["year", 31_557_600],
	["month", 2_629_800],
	["week", 604_800],
	["day", 86_400],
	["hour", 3600],
	["minute", 60],
	["second", 1],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "long" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "long" });

/** "2 minutes ago", "in 3 hours", "now" below five seconds. */
export function relativeTime(at: string, now: number): string {
	const seconds = (Date.parse(at) - now) / 1000;
	if (Number.isNaN(seconds)) return at;
	const [unit, size] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? (["second", 1] as const);
	if (Math.abs(seconds) < 5) return "now";
	return relative.format(Math.trunc(seconds / size), unit);
}

/** The moment in the person's zone, with the zone's name. */
export function exactTime(at: string): string {
	const moment = new Date(at);
	return Number.isNaN(moment.getTime()) ? at : exact.format(moment);
}

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** A day such as "2026-11-23" as "23 Nov". */
export const shortDay = (date: string): string => day.format(new Date(date));

const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const dated = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** A moment of today as "23:10:24", another one with its day, in the person's zone. */
export function clockTime(at: string | number, now = Date.now()): string {
	const moment = new Date(at);
	return (moment.toDateString() === new Date(now).toDateString() ? clock : dated).format(moment);
}

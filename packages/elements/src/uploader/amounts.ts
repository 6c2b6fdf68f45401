import { fill, type Plurals } from "../words/words.ts";

const units = ["KiB", "MiB", "GiB", "TiB"] as const;
/** What a language calls the units, where it does not say "byte". */
const octets = /^fr\b/i;
/** Languages that are written from right to left: a number before Latin letters would stand behind them. */
const fromTheRight = /^(?:ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/i;

/**
 * Bytes in the words of a language, such as "3.4 MiB", in the unit that suits `total`. A language that the browser does
 * not know is written as English.
 */
export function bytesInWords(bytes: number, language: string, total = bytes): string {
	if (total < 1024) return numberFormat(language, { style: "unit", unit: "byte", unitDisplay: "long" }).format(bytes);
	const step = Math.min(units.length, Math.floor(Math.log2(total) / 10));
	const value = bytes / 1024 ** step;
	const unit = units[step - 1] ?? "";
	const number = numberFormat(language, { maximumFractionDigits: value >= 100 ? 0 : 1 }).format(value);
	// A number and its unit stay on one line, in this order.
	const amount = `${number}\u00a0${octets.test(language) ? unit.replace("B", "o") : unit}`;
	return fromTheRight.test(language) ? `\u2066${amount}\u2069` : amount;
}

/** A time that is left, in one unit, rounded so that it does not jump about: "20 seconds", "3 minutes". */
export function secondsInWords(seconds: number, language: string): string {
	const [value, unit] =
		seconds < 10
			? [Math.max(1, Math.ceil(seconds)), "second"]
			: seconds < 90
				? [Math.ceil(seconds / 5) * 5, "second"]
				: seconds < 5400
					? [Math.round(seconds / 60), "minute"]
					: [Math.round(seconds / 3600), "hour"];
	return numberFormat(language, { style: "unit", unit: `${unit}`, unitDisplay: "long" }).format(Number(value));
}

/** A time of day, such as "3:40 PM", with its day if that is not today. */
export function timeInWords(milliseconds: number, language: string): string {
	const time = new Date(milliseconds);
	const isToday = time.toDateString() === new Date().toDateString();
	const options: Intl.DateTimeFormatOptions = { timeStyle: "short", ...(isToday ? {} : { dateStyle: "medium" }) };
	try {
		return time.toLocaleString(language, options);
	} catch {
		return time.toLocaleString("en", options);
	}
}

/** The length of a film, such as "3:20", or "1:03:20" from an hour on. */
export function lengthInWords(seconds: number): string {
	const whole = Math.round(seconds);
	const two = (value: number) => `${value}`.padStart(2, "0");
	const minutes = Math.floor(whole / 60);
	const start = minutes < 60 ? `${minutes}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}`;
	return `${start}:${two(whole % 60)}`;
}

/** A number, such as "1,234". */
export const numberInWords = (value: number, language: string): string => numberFormat(language, {}).format(value);

/** A share of 1, such as "45%". */
export const shareInWords = (share: number, language: string): string =>
	numberFormat(language, { style: "percent" }).format(Math.floor(share * 100) / 100);

/**
 * The text for a count of things: that of its plural in the language, with the count as `{count}`. `other` stands for a
 * plural that has none.
 */
export function countInWords(texts: Plurals, count: number, language: string): string {
	let plural: Intl.LDMLPluralRule = "other";
	try {
		plural = new Intl.PluralRules(language).select(count);
	} catch {
		// A language that the browser does not know.
	}
	return fill(texts[plural] ?? texts.other, { count: numberInWords(count, language) });
}

function numberFormat(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
	try {
		return new Intl.NumberFormat(language, options);
	} catch {
		return new Intl.NumberFormat("en", options);
	}
}

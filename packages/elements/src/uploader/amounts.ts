const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/**
 * Bytes in the words of a language, such as "3.4 MB". A language that the browser does not know is written as English.
 */
export function bytesInWords(bytes: number, language: string): string {
	const step = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
	const value = bytes / 1000 ** step;
	const maximumFractionDigits = step === 0 || value >= 100 ? 0 : 1;
	return numberFormat(language, {
		style: "unit",
		unit: units[step],
		unitDisplay: "short",
		maximumFractionDigits,
	}).format(value);
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

/** A share of 1, such as "45%". */
export const shareInWords = (share: number, language: string): string =>
	numberFormat(language, { style: "percent" }).format(Math.floor(share * 100) / 100);

function numberFormat(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
	try {
		return new Intl.NumberFormat(language, options);
	} catch {
		return new Intl.NumberFormat("en", options);
	}
}

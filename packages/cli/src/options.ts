import { InvalidArgumentError, Option } from "commander";

/** Reads a whole number from `least` on. */
export const wholeNumber =
	(least: number) =>
	(text: string): number => {
		const value = Number(text);
		if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least)
			throw new InvalidArgumentError(`It is a whole number from ${least} on.`);
		return value;
	};

/** For lists: how many are shown. */
export const limitOption = () =>
	new Option("--limit <count>", "the most to show").argParser(wholeNumber(1)).default(20);
export const allOption = () => new Option("--all", "show all, however many").conflicts("limit");

/** For rotations of a domain's key. */
export const graceOption = () =>
	new Option(
		"--grace-seconds <seconds>",
		"how long the key before still works, 0 to 3600 (default: an hour); 0 ends it at once",
	).argParser(wholeNumber(0));

/** The most rows that a list shows. */
export const shownAtMost = ({ limit, all }: { limit: number; all?: boolean }): number =>
	all ? Number.POSITIVE_INFINITY : limit;
/** How many the service is asked for at a time. */
export const pageSizeFor = (shown: number): number => Math.min(100, shown);

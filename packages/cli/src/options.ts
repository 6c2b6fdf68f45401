import { InvalidArgumentError, Option } from "commander";

/** Creates a parser of whole numbers that are not less than `least`. */
export const wholeNumber =
	(least: number) =>
	(text: string): number => {
		const value = Number(text);
		if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least)
			throw new InvalidArgumentError(`It is a whole number from ${least} on.`);
		return value;
	};

/** Adds the options of a list: how many items it shows. */
export const limitOption = () =>
	new Option("--limit <count>", "the most to show").argParser(wholeNumber(1)).default(20);
export const allOption = () => new Option("--all", "show all, however many").conflicts("limit");

/** Adds the options of a rotation of a domain's key. */
export const graceOption = () =>
	new Option(
		"--grace-seconds <seconds>",
		"how long the key before still works, 0 to 3600 (default: an hour); 0 ends it at once",
	).argParser(wholeNumber(0));

/** Returns how many rows a list shows at most. */
export const shownAtMost = ({ limit, all }: { limit: number; all?: boolean }): number =>
	all ? Number.POSITIVE_INFINITY : limit;
/** Returns how many items one request asks for. */
export const pageSizeFor = (shown: number): number => Math.min(100, shown);

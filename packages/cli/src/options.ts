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

/** Reads a position in a video: seconds, with minutes and hours in front of them or without. */
export function position(text: string): number {
	if (!/^(?:\d+:){0,2}\d+(?:\.\d+)?$/.test(text)) throw new InvalidArgumentError("Write seconds, or 1:02.5.");
	return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** Adds the options of a list: how many items it shows. */
export const limitOption = () =>
	new Option("--limit <count>", "the most to show").argParser(wholeNumber(1)).default(20);
export const allOption = () => new Option("--all", "show all, however many").conflicts("limit");

/** Adds the options of a rotation of a domain's key. */
export const graceOption = () =>
	new Option(
		"--grace-seconds <seconds>",
		"how long the key before still works, 0 to 3600; 0 ends it at once (default: 3600)",
	).argParser(wholeNumber(0));

/** Returns how many rows a list shows at most. */
export const shownAtMost = ({ limit, all }: { limit: number; all?: boolean }): number =>
	all ? Number.POSITIVE_INFINITY : limit;
/** Returns how many items one request asks for: one more than is shown tells whether there are others. */
export const pageSizeFor = (shown: number): number => Math.min(100, shown + 1);

/** Adds the options of a command that sends events to a local address. */
export const forwardOption = () =>
	new Option("--forward <url>", "the local address, for example http://localhost:3000/hooks").argParser(httpUrl);
export const secretOption = () =>
	new Option("--secret <whsec>", "sign with this secret, not with the one that the service shows");

function httpUrl(text: string): string {
	if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
		throw new InvalidArgumentError("It is an address such as http://localhost:3000/hooks.");
	return text;
}

/** Reads a value with its key: the key is all before the first `=`. */
export function keyAndValue(text: string): { key: string; value: string } {
	const end = text.indexOf("=");
	if (end < 1) throw new InvalidArgumentError("It is written key=value.");
	return { key: text.slice(0, end), value: text.slice(end + 1) };
}

/** Reads a point in time: ISO 8601, or `2h`, `30m`, `7d` for so long ago. */
export function moment(text: string): Date {
	const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
	const minutes = { m: 1, h: 60, d: 1440 }[unit ?? ""];
	const at = minutes === undefined ? Date.parse(text) : Date.now() - Number(count) * minutes * 60_000;
	if (Number.isNaN(at))
		throw new InvalidArgumentError("It is a time such as 2026-01-31T12:00:00Z, or 2h for two hours ago.");
	return new Date(at);
}

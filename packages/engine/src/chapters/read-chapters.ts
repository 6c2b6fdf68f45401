import type { Chapter } from "@reelmill/contracts";

const timing = /^(?:(\d{2,4}):)?(\d{2}):(\d{2})\.(\d{3}) --> /;
const plain = (text: string): string => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** Reads the chapters of a WebVTT file that has a cue for each, with its title on one line. Pure. */
export function readChapters(text: string): Chapter[] {
	const lines = text.split("\n");
	return lines.flatMap((line, at) => {
		const [, hours = "0", minutes, seconds, thousandths] = timing.exec(line) ?? [];
		if (minutes === undefined) return [];
		const start = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(thousandths) / 1000;
		return [{ start_seconds: Math.round(start * 1000) / 1000, title: plain(lines[at + 1] ?? "") }];
	});
}

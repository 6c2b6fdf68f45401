import { timestamp } from "@reelmill/contracts/captions";

const time = String.raw`(?:\d{2,}:)?\d{2}:\d{2}\.\d{3}`;
const timing = new RegExp(String.raw`^(${time})[ \t]+-->[ \t]+(${time})(.*)$`);
const within = new RegExp(`<(${time})>`, "g");

/** Returns the seconds of a WebVTT timestamp. */
export const secondsOf = (text: string): number => text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);

/**
 * Returns a WebVTT file as it is for a stretch of its video: cues within it, cut to it and moved along, with their
 * settings, and the styles. Comments are left out. Returns `null` if no cue is left.
 */
export function cutWebVtt(
	text: string,
	{ startSeconds, seconds }: { readonly startSeconds: number; readonly seconds: number },
): string | null {
	const [head = "", ...blocks] = text
		.replaceAll(/\r\n?/g, "\n")
		.split(/\n{2,}/)
		.map((block) => block.trim());
	const clamped = (at: string) => Math.min(Math.max(0, secondsOf(at) - startSeconds), seconds);
	const isStyle = (block: string) => /^(?:STYLE|REGION)\b/.test(block);
	let cues = 0;
	const kept = blocks.flatMap((block) => {
		if (isStyle(block)) return [block];
		const lines = block.split("\n");
		const at = lines.findIndex((line) => timing.test(line));
		if (at < 0 || at > 1) return [];
		const [, from = "", to = "", settings = ""] = timing.exec(lines[at] ?? "") ?? [];
		const [start, end] = [clamped(from), clamped(to)];
		if (end - start < 0.001) return [];
		cues += 1;
		const words = lines
			.slice(at + 1)
			.map((line) => line.replaceAll(within, (_, when) => `<${timestamp(clamped(when))}>`));
		return [[...lines.slice(0, at), `${timestamp(start)} --> ${timestamp(end)}${settings}`, ...words].join("\n")];
	});
	return cues === 0 ? null : `${[head, ...kept].join("\n\n")}\n`;
}

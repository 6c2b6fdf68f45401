/** The spoken words of a WebVTT file: each cue's text on a line of its own, without times, ids, notes and tags (W3C WebVTT, section 4). */
export function textOfWebVtt(file: string): string {
	const blocks = file.replaceAll(/\r\n?/g, "\n").split(/\n{2,}/);
	const texts = blocks.flatMap((block) => {
		const lines = block.split("\n");
		const timing = lines.findIndex((line) => line.includes("-->"));
		return timing === -1 ? [] : [lines.slice(timing + 1).join(" ")];
	});
	return texts
		.map((text) => plain(text.replaceAll(/<[^>]*>/g, "")).trim())
		.filter((text) => text !== "")
		.join("\n");
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", nbsp: "\u00a0", lrm: "\u200e", rlm: "\u200f" };
const plain = (text: string): string => text.replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole);

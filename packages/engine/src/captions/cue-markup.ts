import { escapedText, seenText } from "@reelmill/contracts/captions";

/** A line of a cue as WebVTT has it, and the text that is shown of it. */
export type Line = { readonly markup: string; readonly text: string };

const entities: Readonly<Record<string, string>> = {
	...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" },
	...{ nbsp: "\u00a0", lrm: "\u200e", rlm: "\u200f" },
};

function entity(whole: string, name: string): string {
	if (!name.startsWith("#")) return entities[name] ?? whole;
	const hexadecimal = /^#[xX]([\da-fA-F]{1,6})$/.exec(name)?.[1];
	const point = hexadecimal === undefined ? Number(name.slice(1)) : Number.parseInt(hexadecimal, 16);
	return point <= 0x10_ffff ? String.fromCodePoint(point) : whole;
}
const decoded = (text: string): string => text.replaceAll(/&(#[xX]?[\da-fA-F]{1,6}|[a-z]{2,4});/g, entity);

/** A text between tags keeps the spaces at its ends. */
const inner = (text: string): string => seenText(`|${text}|`).slice(1, -1);

const opening = /^(c|i|b|u|ruby|rt|v|lang)((?:\.[\w-]{1,40}){0,8})(?: (.{1,200}))?$/;
const closing = /^\/(?:c|i|b|u|ruby|rt|v|lang)$/;
const moment = /^(?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3}$/;

/** Returns a tag that WebVTT knows, without what could be more than a name in it; `null` for any other. */
function webVttTag(tag: string): string | null {
	if (closing.test(tag) || moment.test(tag)) return `<${tag}>`;
	const [, name, classes = "", annotation] = opening.exec(tag) ?? [];
	if (name === undefined) return null;
	const said = name === "v" || name === "lang" ? inner(decoded(annotation ?? "")).trim() : "";
	return `<${name}${classes}${said === "" ? "" : ` ${escapedText(said)}`}>`;
}

/** SubRip has three tags that WebVTT has, too. Colours and places are left out. */
function subRipTag(tag: string): string | null {
	const name = tag.toLowerCase();
	if (/^\/?[biu]$/.test(name)) return `<${name}>`;
	return /^\/?font\b/.test(name) ? "" : null;
}

/** Reads a line with tags; a tag that `known` returns `null` for is text. */
function lineWith(line: string, known: (tag: string) => string | null, decode: (text: string) => string): Line {
	let [markup, text] = ["", ""];
	const say = (said: string) => {
		const shown = inner(decode(said));
		markup += escapedText(shown);
		text += shown;
	};
	let at = 0;
	for (const { 0: whole, index } of line.matchAll(/<[^<>]{1,300}>/g)) {
		const tag = known(whole.slice(1, -1));
		if (tag === null) continue;
		say(line.slice(at, index));
		markup += tag;
		at = index + whole.length;
	}
	say(line.slice(at));
	return { markup, text };
}

/**
 * Reads a line of a WebVTT cue. Tags and entities that WebVTT has stay what they are; all else is text, and what can't
 * be seen of it is left out.
 */
export const webVttLine = (line: string): Line => lineWith(seenText(line), webVttTag, decoded);

/** Reads a line of a SubRip cue in the same way. */
export const subRipLine = (line: string): Line =>
	lineWith(seenText(line.replaceAll(/\{\\[^{}]{0,100}\}/g, "")), subRipTag, (text) => text);

const settings: Readonly<Record<string, RegExp>> = {
	vertical: /^(?:rl|lr)$/,
	line: /^(?:-?\d{1,4}|\d{1,3}(?:\.\d{1,3})?%)(?:,(?:start|center|end))?$/,
	position: /^\d{1,3}(?:\.\d{1,3})?%(?:,(?:line-left|center|line-right))?$/,
	size: /^\d{1,3}(?:\.\d{1,3})?%$/,
	align: /^(?:start|center|end|left|right)$/,
};

/** Returns the settings of a cue that WebVTT knows, but regions. */
export const webVttSettings = (text: string): string =>
	text
		.split(/[ \t]+/)
		.filter((setting) => {
			const [name = "", value = ""] = setting.split(":");
			return Object.hasOwn(settings, name) && settings[name]?.test(value) === true && setting === `${name}:${value}`;
		})
		.join(" ");

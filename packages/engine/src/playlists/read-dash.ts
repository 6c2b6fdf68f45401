import type { ListedCaptions } from "./read-hls.ts";
import { type Part, seconds, UnreadableText, wholeNumber } from "./text-lines.ts";

/** `width` and `height` are `null` unless it is a track of pictures. `parts` are `null` for a whole file. */
export type Representation = {
	readonly uri: string;
	readonly codecs: string;
	readonly width: number | null;
	readonly height: number | null;
	readonly parts: { readonly index: Part; readonly initialisation: Part } | null;
};
export type Manifest = { readonly seconds: number; readonly representations: readonly Representation[] };

/** A manifest of a video with sixteen representations has a tenth of it. */
const longestManifest = 65_536;

type Element = {
	readonly name: string;
	readonly attributes: ReadonlyMap<string, string>;
	readonly children: Element[];
	text: string;
};

/**
 * Reads an on-demand manifest (ISO/IEC 23009-1) as `@reelmill/media` writes it: elements and attributes, without
 * comments, entities and declarations; each track is ranges of one file. It is our own because a parser of all of XML
 * would have to be restricted to this again.
 *
 * @throws {UnreadableText} for anything else.
 */
export function readManifest(text: string): Manifest {
	const { root, sets } = setsOf(text);
	const representations = sets.flatMap((set) =>
		within([set], "Representation").map((representation) =>
			(readers.get(set.attributes.get("mimeType")) ?? trackOf)(representation, set),
		),
	);
	if (representations.length === 0) throw new UnreadableText("leads to no rendition");
	const duration = /^PT([\d.]{1,20})S$/.exec(root.attributes.get("mediaPresentationDuration") ?? "")?.[1];
	return { seconds: seconds(duration), representations };
}

function setsOf(text: string): { readonly root: Element; readonly sets: readonly Element[] } {
	const root = elementsOf(text);
	if (root.name !== "MPD") throw new UnreadableText("is no manifest");
	return { root, sets: within(within([root], "Period"), "AdaptationSet") };
}

/**
 * Returns the captions that a manifest lists, in its order.
 *
 * @throws {UnreadableText} as `readManifest`.
 */
export const listedInManifest = (text: string): ListedCaptions[] =>
	setsOf(text).sets.flatMap((set): ListedCaptions[] => {
		if (set.attributes.get("mimeType") !== "text/vtt") return [];
		const role = within([set], "Role")[0]?.attributes.get("value");
		return within([set], "Representation").map((representation) => ({
			uri: captionsOf(representation).uri,
			name: within([set], "Label")[0]?.text ?? null,
			language: set.attributes.get("lang") ?? "und",
			...{ isForced: role === "forced-subtitle", isSpoken: role === "caption", tellsSounds: false },
		}));
	});

/** Reads a track: ranges of one file. */
function trackOf(representation: Element): Representation {
	const [base] = within([representation], "BaseURL");
	const [segments] = within([representation], "SegmentBase");
	const [initialisation] = segments === undefined ? [] : within([segments], "Initialization");
	if (base === undefined || segments === undefined || initialisation === undefined)
		throw new UnreadableText("has a representation without a file and its ranges");
	const side = (name: string) =>
		representation.attributes.has(name) ? wholeNumber(representation.attributes.get(name)) : null;
	return {
		uri: base.text,
		codecs: representation.attributes.get("codecs") ?? "",
		width: side("width"),
		height: side("height"),
		parts: {
			index: partOf(segments.attributes.get("indexRange")),
			initialisation: partOf(initialisation.attributes.get("range")),
		},
	};
}

/** What lies in a whole file. */
const wholeFile = (uri: string): Representation => ({ uri, codecs: "", width: null, height: null, parts: null });

/** Reads captions: one WebVTT file. */
function captionsOf(representation: Element): Representation {
	const [base] = within([representation], "BaseURL");
	if (base === undefined) throw new UnreadableText("has captions without a file");
	return wholeFile(base.text);
}

/** Reads a storyboard: one sheet, whose address is a template with a number. */
function sheetOf(_representation: Element, set: Element): Representation {
	const [template] = within([set], "SegmentTemplate");
	const media = template?.attributes.get("media") ?? "";
	if (!media.includes(sheetNumber) || template?.attributes.get("startNumber") !== "1")
		throw new UnreadableText("has pictures without a number");
	return wholeFile(media.replace(sheetNumber, "00001"));
}
const sheetNumber = "$Number%05d$";

/** What isn't a track, by its type. */
const readers = new Map<string | undefined, (representation: Element, set: Element) => Representation>([
	["text/vtt", captionsOf],
	["image/jpeg", sheetOf],
]);

const known = new Set([
	"MPD",
	"Period",
	"AdaptationSet",
	"Representation",
	"BaseURL",
	"SegmentBase",
	"Initialization",
	"AudioChannelConfiguration",
	"Label",
	"Role",
	"SegmentTemplate",
	"EssentialProperty",
	"SupplementalProperty",
]);
const within = (elements: readonly Element[], name: string): Element[] =>
	elements.flatMap(({ children }) => children.filter((child) => child.name === name));

/** Returns the document's one element. */
function elementsOf(text: string): Element {
	if (text.length > longestManifest) throw new UnreadableText(`is longer than ${longestManifest} characters`);
	if (text.includes("<!") || text.includes("&")) throw new UnreadableText("has a declaration, a comment or an entity");
	const document: Element = { name: "", attributes: new Map(), children: [], text: "" };
	const open = [document];
	const body = text.replace(/^<\?xml [^<>?]{1,100}\?>/, "");
	for (let at = 0; at < body.length; ) {
		const parent = open.at(-1) as Element;
		const start = body.indexOf("<", at);
		parent.text += body.slice(at, start < 0 ? body.length : start).trim();
		if (start < 0) break;
		const end = body.indexOf(">", start);
		if (end < 0) throw new UnreadableText("ends within a tag");
		const tag = body.slice(start + 1, end);
		at = end + 1;
		if (tag.startsWith("/")) {
			if (parent === document || tag.slice(1) !== parent.name) throw new UnreadableText("closes what isn't open");
			open.pop();
			continue;
		}
		const isEmpty = tag.endsWith("/");
		const element = elementOf(isEmpty ? tag.slice(0, -1) : tag);
		parent.children.push(element);
		if (!isEmpty) open.push(element);
		if (open.length > 8) throw new UnreadableText("is too deep");
	}
	const [root, ...more] = document.children;
	if (root === undefined || more.length > 0 || open.length > 1)
		throw new UnreadableText("is no document of one element");
	return root;
}

function elementOf(tag: string): Element {
	const [name = ""] = tag.split(/\s/, 1);
	if (!known.has(name))
		throw new UnreadableText(`has the element ${JSON.stringify(name.slice(0, 50))}, which is not for it`);
	const attributes = new Map<string, string>();
	const rest = tag.slice(name.length).trim();
	for (let at = 0; at < rest.length; ) {
		const equals = rest.indexOf('="', at);
		const closing = equals < 0 ? -1 : rest.indexOf('"', equals + 2);
		if (closing < 0) throw new UnreadableText("has attributes that can't be read");
		attributes.set(rest.slice(at, equals).trim(), rest.slice(equals + 2, closing));
		at = closing + 1;
	}
	return { name, attributes, children: [], text: "" };
}

/** Reads `first-last`; both bytes belong to the part. */
function partOf(text: string | undefined): Part {
	const [first, last, ...more] = (text ?? "").split("-");
	const [offset, end] = [wholeNumber(first), wholeNumber(last)];
	if (more.length > 0 || end < offset) throw new UnreadableText("has a byte range that can't be read");
	return { offset, length: end - offset + 1 };
}

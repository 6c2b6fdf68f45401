import type { Reelmill } from "@reelmill/node";
import { textOf } from "./fields.ts";
import type { FoundCaptions, FoundVideo } from "./found-video.ts";

export type ImportInput = Parameters<Reelmill["imports"]["create"]>[0];
export type ListedCaptions = FoundCaptions & { readonly language: string };

/** One video that is to be moved, as the service takes it. */
export type ListedVideo = {
	/** Where it stands in the list, for example `Line 3`. */
	readonly place: string;
	/** By which it is known again: its `external_ref`. */
	readonly reference: string;
	readonly title: string | undefined;
	/** What is asked of the service; or why the video can't be moved, and what to do. */
	readonly input: ImportInput | { readonly cannot: string };
	readonly captions: readonly ListedCaptions[];
	readonly chapters: NonNullable<FoundVideo["chapters"]>;
	/** What doesn't come along as it was, in sentences. */
	readonly notes: readonly string[];
};

/** What the service takes of a video's names: the contract's `metadataLimits`. */
export const nameLimits = { title: 200, keys: 20, key: 40, value: 500 } as const;
const mostLabel = 60;

/** Makes of what a reader found what the service takes. What is too long is cut, and told. */
export function listedVideo(place: string, id: string, found: FoundVideo): ListedVideo {
	const notes = [...(found.notes ?? [])];
	const title = cut(lineOf(found.title), nameLimits.title, () => notes.push("Its title is cut to 200 characters."));
	const captions: ListedCaptions[] = [];
	for (const one of found.captions ?? []) {
		const language = languageOf(one.language);
		if (captions.some((other) => other.language === language))
			notes.push(`It has several captions in ${language}: the first ones come along.`);
		else captions.push({ ...one, language, label: labelOf(one.label) });
	}
	return {
		place,
		reference: id,
		title,
		input: "cannot" in found.file ? found.file : inputOf(found.file.url, id, title, found, notes),
		captions,
		chapters: found.chapters ?? [],
		notes,
	};
}

function inputOf(
	url: string,
	id: string,
	title: string | undefined,
	found: FoundVideo,
	notes: string[],
): ImportInput | { cannot: string } {
	if (id.length > 255) return { cannot: "Its id is longer than the 255 characters that an external_ref may have." };
	const values = valuesOf(found.values ?? {}, notes);
	return {
		url,
		external_ref: id,
		...(title !== undefined && { title }),
		...(Object.keys(values).length > 0 && { values }),
		...(found.visibility && { visibility: found.visibility }),
		...(found.uploaderRef !== undefined && { uploader_ref: found.uploaderRef }),
		...(found.contentType !== undefined && { content_type: found.contentType }),
		...(found.bytes !== undefined && { file_size: found.bytes }),
		...(found.seconds !== undefined && { duration_seconds: Math.max(1, Math.floor(found.seconds)) }),
	};
}

function valuesOf(found: Readonly<Record<string, unknown>>, notes: string[]): Record<string, string> {
	const { key: longestKey, keys, value: longest } = nameLimits;
	const all = Object.entries(found).flatMap(([name, value]) => {
		const [key, text] = [lineOf(name), lineOf(textOf(typeof value === "boolean" ? String(value) : value))];
		return key === undefined || text === undefined ? [] : [{ key, text }];
	});
	const fitting = all.filter(({ key }) => key.length <= longestKey).slice(0, keys);
	if (fitting.length < all.length)
		notes.push(`${all.length - fitting.length} of its values are left out: a video has ${keys}, by short keys.`);
	return Object.fromEntries(
		fitting.map(({ key, text }) => [
			key,
			cut(text, longest, () => notes.push(`Its value ${key} is cut to ${longest} characters.`)) ?? "",
		]),
	);
}

/** Makes one line of a text, without control characters; nothing of an empty one. */
const lineOf = (text: string | undefined): string | undefined =>
	text?.replaceAll(/[\p{Cc}\s]+/gu, " ").trim() || undefined;

/** Cuts a text between two characters, with three dots at its end. */
function cut(text: string | undefined, most: number, told: () => unknown): string | undefined {
	if (text === undefined || text.length <= most) return text;
	told();
	return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** A tag that the service takes, or `und`: the label then says what they are. */
function languageOf(said: string | undefined): string {
	const tag = said?.replaceAll("_", "-") ?? "";
	try {
		return /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4}$/i.test(tag) ? (Intl.getCanonicalLocales(tag)[0] ?? "und") : "und";
	} catch {
		return "und";
	}
}

const labelOf = (said: string | undefined): string | undefined =>
	lineOf(said?.replaceAll(/["<>&\p{C}\p{Zl}\p{Zp}]/gu, " "))?.slice(0, mostLabel);

import { UsageError } from "../failure.ts";
import { readText } from "../read-text.ts";
import { readCsv } from "./csv.ts";
import { type Fields, isFields } from "./fields.ts";
import type { Format, FormatOptions } from "./format.ts";
import { type FormatName, formatNames, formats } from "./formats.ts";
import { type ListedVideo, listedVideo } from "./listed-video.ts";

export type ReadOptions = FormatOptions & {
	/** Whose list it is; undefined if its first video tells. */
	readonly format: FormatName | undefined;
	/** For all videos, whatever the list says. */
	readonly visibility: "private" | "public" | undefined;
};

type Placed = { readonly place: string; readonly video: Fields };
const longestAddress = 2048;
/** How many mistakes of a list are told at once. */
const mostTold = 10;

/**
 * Reads a list of videos that another system gave, or one's own: JSON, lines of JSON, or a CSV with a heading. Nothing
 * is asked of anyone.
 * @throws {OutcomeError} when there is no such file, or when it is not in UTF-8
 * @throws {UsageError} when it can't be read, with the lines that are wrong: without an address or an id, or with those
 * of another line
 */
export async function readList(
	path: string,
	options: ReadOptions,
): Promise<{ readonly format: FormatName; readonly videos: ListedVideo[] }> {
	const text = await readText(path);
	const all = /^\s*[[{]/.test(text) ? readJson(text, path) : readCsv(text, path);
	const [first] = all;
	if (first === undefined) throw new UsageError(`${path} has no video.`);
	const name = options.format ?? formatNames.find((one) => formats[one].is(first.video));
	if (name === undefined)
		throw new UsageError(
			`${path} is no list that can be read: ${first.place} has the fields ${Object.keys(first.video).slice(0, 10).join(", ")}. Lists of your own have a url in each line; --format says whose list another one is: ${formatNames.join(", ")}.`,
		);
	const format: Format = formats[name];
	if (format.needsOrigin && options.origin === undefined)
		throw new UsageError(`Lists of ${name} don't say where the files are: name it by --origin.`);
	return { format: name, videos: videosOf(all, format, options, path) };
}

function videosOf(all: readonly Placed[], format: Format, options: ReadOptions, path: string): ListedVideo[] {
	const wrong: string[] = [];
	const known = new Map<string, string>();
	const isFirst = (what: string, place: string, name: string): void => {
		const other = known.get(what);
		if (other === undefined) known.set(what, place);
		else wrong.push(`${place} has the ${name} of ${other.replace(/^./, (letter) => letter.toLowerCase())}.`);
	};
	const videos = all.map(({ place, video }) => {
		const read = format.read(video, options);
		const found = { ...read, visibility: options.visibility ?? read.visibility };
		const { id = "", file } = found;
		if (found.wrong !== undefined) wrong.push(`${place}: ${found.wrong}.`);
		if (id === "") wrong.push(`${place} has no id.`);
		else isFirst(`id ${id}`, place, "id");
		if ("url" in file) {
			if (!isAddress(file.url)) wrong.push(`${place} has no address such as https://files.example.com/a.mp4.`);
			else isFirst(`url ${file.url}`, place, "address");
		}
		return listedVideo(place, id, found);
	});
	if (wrong.length > 0) {
		const more = wrong.length - mostTold;
		const told = [...wrong.slice(0, mostTold), ...(more > 0 ? [`${more} more lines are wrong.`] : [])];
		throw new UsageError(`${path} can't be moved, and nothing of it was:\n  ${told.join("\n  ")}`);
	}
	return videos;
}

const isAddress = (text: string): boolean =>
	text.length <= longestAddress && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Reads one document, or one on each line: videos, or pages of them as the systems answer. */
function readJson(text: string, path: string): Placed[] {
	const whole = parsed(text);
	if (whole.value !== undefined) return numbered(itemsOf(whole.value), path);
	const lines = text.split("\n").flatMap((line, index) => (line.trim() === "" ? [] : [{ line, number: index + 1 }]));
	const values = lines.map(({ line, number }) => ({ ...parsed(line), number }));
	// A document over many lines isn't meant as lines: its own mistake tells more than that of its first line.
	if (values[0]?.value === undefined) throw new UsageError(`${path} is no JSON: ${whole.message}.`);
	return values.flatMap(({ value, message, number }) => {
		if (value === undefined) throw new UsageError(`Line ${number} of ${path} is no JSON: ${message}.`);
		const items = itemsOf(value);
		return items.length === 1 && items[0] === value
			? [{ place: `Line ${number}`, video: items[0] as Fields }]
			: numbered(items, path, `of line ${number}`);
	});
}

function parsed(text: string): { readonly value?: unknown; readonly message?: string } {
	try {
		return { value: JSON.parse(text) as unknown };
	} catch (error) {
		return { message: (error as Error).message };
	}
}

/** A page names its videos by one of these. */
const pageKeys = ["data", "result", "items", "videos"];

function itemsOf(value: unknown): unknown[] {
	if (Array.isArray(value)) return value.flatMap((one) => (isFields(one) ? itemsOf(one) : [one]));
	if (!isFields(value) || "url" in value) return [value];
	const page = pageKeys.map((key) => value[key]).find((inner) => Array.isArray(inner) || isFields(inner));
	return page === undefined ? [value] : Array.isArray(page) ? page : [page];
}

const numbered = (items: readonly unknown[], path: string, where = ""): Placed[] =>
	items.map((video, index) => {
		const place = `Video ${index + 1}${where === "" ? "" : ` ${where}`}`;
		if (!isFields(video)) throw new UsageError(`${place} of ${path} is no JSON object.`);
		return { place, video };
	});

import { eachOf, type Fields, isFields, textOf } from "../fields.ts";
import type { FoundCaptions, FoundVideo } from "../found-video.ts";

/**
 * Reads captions that were added to a video of a list which has none: a list, or an answer with it as `data` or
 * `result`. Each names its `url`, or a `file` beside the list.
 */
export function addedCaptions(
	added: unknown,
	languageOf: (captions: Fields) => unknown,
	addressOf: (captions: Fields) => unknown = ({ url }) => url,
): Pick<FoundVideo, "captions" | "notes"> {
	const all = eachOf(isFields(added) ? (added.data ?? added.result) : added);
	const captions = all.flatMap((one): FoundCaptions[] => {
		const [url, file] = [textOf(addressOf(one)), textOf(one.file)];
		const { kind } = one;
		const said = {
			language: textOf(languageOf(one)),
			label: textOf(one.label),
			kind: kind === "captions" || kind === "subtitles" ? kind : undefined,
		} as const;
		if (url !== undefined) return [{ ...said, url }];
		return file === undefined ? [] : [{ ...said, file }];
	});
	const missing = all.length - captions.length;
	return {
		captions,
		notes: missing === 0 ? [] : [`Of ${missing} of its captions the list has neither \`url\` nor \`file\`.`],
	};
}

import type { CaptionTrack } from "./caption-track.ts";
import { nameCaptions } from "./name-captions.ts";

/** A WebVTT file of captions, as seen from the manifest. */
export type CaptionsFile = CaptionTrack & { readonly uri: string; readonly bytes: number };

const language = (tag: string | null): string => (tag === null ? "" : ` lang="${tag}"`);
const roleOf = ({ isForced, isSpoken }: CaptionTrack): string =>
	isForced ? "forced-subtitle" : isSpoken ? "caption" : "subtitle";

/**
 * Returns the lines of a manifest for captions: an adaptation set of each whole file, without segments. Viewers choose
 * among several by their labels. The video lasts `seconds`.
 * @example
 * ```ts
 * import { captionsSets } from "@reelmill/contracts/captions";
 *
 * const file = { path: "transcript.vtt", uri: "../transcript.vtt", bytes: 1000, language: "en", title: null };
 * const lines = captionsSets([{ ...file, isSpoken: true, tellsSounds: false, isForced: false }], 60);
 * console.log(lines.some((line) => line.includes('lang="en"'))); // => true
 * ```
 */
export function captionsSets(tracks: readonly CaptionsFile[], seconds: number): string[] {
	return nameCaptions(tracks).flatMap(({ track, name }, n) => [
		`    <AdaptationSet contentType="text" mimeType="text/vtt"${language(track.language)}>`,
		...(tracks.length === 1 && track.title === null ? [] : [`      <Label>${name}</Label>`]),
		`      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="${roleOf(track)}"/>`,
		`      <Representation id="captions${n === 0 ? "" : `_${n + 1}`}" bandwidth="${Math.ceil((track.bytes * 8) / seconds)}">`,
		`        <BaseURL>${track.uri}</BaseURL>`,
		"      </Representation>",
		"    </AdaptationSet>",
	]);
}

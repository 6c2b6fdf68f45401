import type { CaptionTrack } from "./caption-track.ts";

/**
 * Returns the name of a language in the language itself; `undefined` if it isn't known, or is no tag of one. What a tag
 * says beyond language, script, region and variant (`de-x-easy`) is no part of the name.
 * @example
 * ```ts
 * import { languageName } from "@reelmill/contracts/captions";
 *
 * console.log(languageName("de"), languageName(null)); // => Deutsch undefined
 * ```
 */
export function languageName(language: string | null): string | undefined {
	if (language === null) return undefined;
	try {
		return new Intl.DisplayNames([language], { type: "language" }).of(new Intl.Locale(language).baseName);
	} catch {
		return undefined;
	}
}

/**
 * Returns a name that is not taken: this one, or with a number.
 * @example
 * ```ts
 * import { freeName } from "@reelmill/contracts/captions";
 *
 * console.log(freeName("English", new Set(["English"]))); // => English 2
 * ```
 */
export function freeName(base: string, taken: ReadonlySet<string>): string {
	let name = base;
	for (let n = 2; taken.has(name); n += 1) name = `${base} ${n}`;
	return name;
}

/**
 * Names the captions of a video, each in its own language. Each has another name.
 * @example
 * ```ts
 * import { nameCaptions } from "@reelmill/contracts/captions";
 *
 * const said = { path: "transcript.vtt", title: null, isSpoken: true, tellsSounds: false, isForced: false };
 * const named = nameCaptions([
 * 	{ ...said, language: "fr" },
 * 	{ ...said, path: "captions/2.vtt", language: null },
 * ]);
 * console.log(named.map(({ name }) => name)); // => [ 'français', 'Captions' ]
 * ```
 */
export function nameCaptions<Track extends CaptionTrack>(
	tracks: readonly Track[],
): { readonly track: Track; readonly name: string }[] {
	const taken = new Set<string>();
	return tracks.map((track) => {
		const name = freeName(track.title ?? languageName(track.language) ?? "Captions", taken);
		taken.add(name);
		return { track, name };
	});
}

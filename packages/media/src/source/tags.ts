/** The most characters of a title that is kept. */
const longestTitle = 60;

/** What files write for a language that isn't known, or for none. */
const noLanguage = new Set(["und", "mis", "mul", "zxx"]);

/**
 * Returns the shortest tag (RFC 5646) of a language that a file names, by two or three letters or in full; `null` if it
 * names none. `ger` and `deu` are `de`.
 */
export function languageTag(said: unknown): string | null {
	if (typeof said !== "string" || !/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/.test(said)) return null;
	try {
		const [tag = ""] = Intl.getCanonicalLocales(said);
		return tag === "" || noLanguage.has(tag) ? null : tag;
	} catch {
		return null;
	}
}

/**
 * Returns a title that playlists, manifests and pages can name as it is: without control characters and those that end
 * a text there, and not too long; `null` if nothing is left.
 */
export function cleanTitle(said: unknown): string | null {
	if (typeof said !== "string") return null;
	const words = said.slice(0, 4 * longestTitle).replaceAll(/[\p{C}\p{Zl}\p{Zp}\s"<>&]+/gu, " ");
	const title = Array.from(words.trim()).slice(0, longestTitle).join("").trim();
	return title === "" ? null : title;
}

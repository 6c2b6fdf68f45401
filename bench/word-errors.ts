const spelled: Readonly<Record<string, string>> = { mr: "mister", mrs: "missis", dr: "doctor" };

/** Returns the words of a text in small letters, without signs. A hyphen parts words. */
const wordsOf = (text: string): string[] =>
	(
		text
			.normalize("NFC")
			.toLowerCase()
			.match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu) ?? []
	).map((word) => spelled[word] ?? word.replaceAll("’", "'"));

/**
 * Counts the words that have to be changed, added or taken away to make the one text of the other (Levenshtein), and
 * the words of what was said.
 */
export function wordErrors(said: string, heard: string): { readonly errors: number; readonly words: number } {
	const [there, here] = [wordsOf(said), wordsOf(heard)];
	let row = Array.from({ length: here.length + 1 }, (_, n) => n);
	for (const [n, word] of there.entries()) {
		const next = [n + 1];
		for (const [m, other] of here.entries())
			next.push(Math.min((row[m] ?? 0) + (word === other ? 0 : 1), (row[m + 1] ?? 0) + 1, (next[m] ?? 0) + 1));
		row = next;
	}
	return { errors: row[here.length] ?? 0, words: there.length };
}

const sheets = new Map<string, CSSStyleSheet>();

/**
 * Returns the constructed style sheet of a text, the same one for the same text. A content security policy without
 * `'unsafe-inline'` takes constructed style sheets, but no `<style>`.
 */
export function styleSheet(text: string): CSSStyleSheet {
	const known = sheets.get(text);
	if (known) return known;
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(text);
	sheets.set(text, sheet);
	return sheet;
}

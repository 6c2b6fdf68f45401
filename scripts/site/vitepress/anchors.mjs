/**
 * Returns the anchor of a heading as GitHub makes it, so that a link works there and on the site.
 * @param {string} heading its text, without Markdown
 */
export const anchorOf = (heading) =>
	heading
		.trim()
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
		.replaceAll(/\s/g, "-");

/**
 * What programs on the way resolve, or not: empty segments and those of dots; a backslash, `#` and `;`; and a
 * letter, a digit or one of `-._~` that is escaped. Other escapes stay what they are: a part of their segment.
 */
const ambiguous = /\/\/|\/\.{1,2}(?:\/|$)|[\\#;]|%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/i;

/** Tells whether all programs on a path's way understand it alike: it is in normal form. */
export const isNormalPath = (path: string): boolean => path.startsWith("/") && !ambiguous.test(path);

/** Tells whether a text has a character that can be seen. A link with any other name could not be found. */
export const canBeSeen = (text: string): boolean => /[^\s\p{C}]/u.test(text);

/** Tells whether a text shows anything: a link that is named by another one could not be found. */
export const canBeSeen = (text: string): boolean => /[^\s\p{C}]/u.test(text);

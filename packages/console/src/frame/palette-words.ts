/** The words of the palette's field, which is there before the palette's code. */
export const paletteWords = { name: "Search or go to", placeholder: "A page, a domain, or a video's name or id" };

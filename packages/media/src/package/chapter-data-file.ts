/** Where Apple's players find the chapters. */
export const chapterDataFile = "chapters.json";

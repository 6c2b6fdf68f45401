export { type ChaptersNoun, createChapters } from "./chapters.ts";

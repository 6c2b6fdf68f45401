export { createPublications, type Publications } from "./publications.ts";

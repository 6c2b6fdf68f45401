export { type Counts, createCounts } from "./counts.ts";

export type { ByteReader, ServedBytes } from "./served-bytes.ts";
export type { ServedFile } from "./served-files.ts";
export { isServed } from "./served-paths.ts";
export { createServing, type Serving, type ServingNoun } from "./serving.ts";

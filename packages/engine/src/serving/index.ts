export type { ByteReader, ServedBytes } from "./served-bytes.ts";
export { isServed } from "./served-paths.ts";
export { createServing, type ServedFile, type Serving } from "./serving.ts";

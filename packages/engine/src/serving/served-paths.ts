import { contentTypeOf } from "../ports/index.ts";

/** Kept for the tenant's own tooling, never served. */
const hidden = /^frames\//;

/** Whether the output at `path` is for viewers: what isn't is neither served nor copied to where anyone may read. */
export const isServed = (path: string): boolean => !hidden.test(path) && contentTypeOf(path) !== null;

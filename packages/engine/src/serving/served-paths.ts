import { contentTypeOf } from "../ports/index.ts";

/** Frames are for the tenant's own tools. */
const hidden = /^frames\//;

/**
 * Returns whether the output at `path` is for viewers. Other outputs are never served, nor copied to a bucket's public
 * folder.
 */
export const isServed = (path: string): boolean => !hidden.test(path) && contentTypeOf(path) !== null;

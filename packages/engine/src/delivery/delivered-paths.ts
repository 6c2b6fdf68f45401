import { contentTypeOf } from "../ports/index.ts";

/** Kept for the tenant's own tooling, never delivered. */
const hidden = /^frames\//;

/** Whether the output at `path` is for viewers: what isn't is neither served nor copied to where anyone may read. */
export const isDelivered = (path: string): boolean => !hidden.test(path) && contentTypeOf(path) !== null;

export { type BucketOpenerOptions, createBucketOpener } from "./bucket-opener.ts";

export { type BucketOpenerOptions, createBucketOpener } from "./bucket-opener.ts";
export { type Preset, presetOf } from "./client/presets.ts";

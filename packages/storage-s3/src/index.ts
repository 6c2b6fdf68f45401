export { type BucketOpenerOptions, createBucketOpener } from "./bucket-opener.ts";
export { type Preset, presetOf } from "./client/presets.ts";
export { type S3Bucket, s3Bucket } from "./client/s3-bucket.ts";

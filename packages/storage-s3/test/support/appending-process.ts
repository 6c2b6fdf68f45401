import { createBucketOpener } from "@reelmill/storage-s3";
import { patience } from "./patience.ts";
import { pattern } from "./pattern.ts";

/** Appends the rest of an upload's pattern. */
const { bucket, id, length } = JSON.parse(process.argv[2] ?? "");
const { uploads } = createBucketOpener({ allow: [], ...patience }).open(bucket);
const size = (await uploads.size(id)) ?? 0;
async function* pieces(): AsyncGenerator<Uint8Array> {
	for (let at = size; at < length; at += 65_536) yield pattern(at, Math.min(65_536, length - at));
}
await uploads.append(id, size, pieces(), { limit: length });
